"""A scripted model: keyword rules with deterministic results. It needs neither a network nor an account."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from .model import Asked, Result, Said, Tool, ToolCall, Turn

# The first match applies.
PRIORITIES = [
    ("urgent", ("outage", "down", "data loss", "security", "breach")),
    ("high", ("urgent", "cannot", "broken", "blocked", "asap")),
    ("low", ("feature", "idea", "suggestion", "would be nice")),
]
LABELS = {
    "access": ("password", "log in", "login", "sign in", "account locked"),
    "billing": ("invoice", "refund", "charge", "payment"),
    "bug": ("error", "crash", "broken", "exception"),
    "idea": ("feature", "idea", "suggestion", "would be nice"),
}
FOR_PEOPLE = ("refund", "lawyer", "gdpr", "delete my data", "angry", "unacceptable", "cancel my", "security", "breach")
ORDERS = re.compile(r"\b(ignore|disregard)\b.*\binstructions\b|\b(delete|export|erase) (all|every)\b", re.I | re.S)
STOP_WORDS = frozenset(
    (
        "a an and are at can do does for from have how i in is it me my of on or our please that the they "
        "this to we what when why with you your "
    ).split()
)


class ScriptedModel:
    def __init__(self, person: str, may_answer: bool = False) -> None:
        self._person = person
        self._may_answer = may_answer

    async def respond(self, instructions: str, tools: Sequence[Tool], turns: Sequence[Turn]) -> Said:
        asked = turns[0]
        assert isinstance(asked, Asked)
        ticket_id, text = _ticket(asked.text)
        results = [turn for turn in turns if isinstance(turn, Result)]
        done = {result.call.id for result in results}
        steps = self._steps(ticket_id, text, results)
        following = next((call for call in steps if call.id not in done), None)
        return Said("", [following]) if following else Said("Done.")

    def _steps(self, ticket_id: str, text: str, results: Sequence[Result]) -> Sequence[ToolCall]:
        """All calls for this ticket that are possible with the results so far."""
        words = text.lower()
        steps = []
        priority = next((name for name, found in PRIORITIES if any(word in words for word in found)), None)
        if priority:
            steps.append(ToolCall("priority", "update_ticket", {"id": ticket_id, "priority": priority}))
        labels = [name for name, found in LABELS.items() if any(word in words for word in found)]
        if labels:
            patch = {"issueIds": [ticket_id], "patch": {"add_labels": labels}}
            steps.append(ToolCall("labels", "bulk_update_issues", patch))
        searched = [result for result in results if result.call.name == "search_kb"]
        hit = next((result.data["data"][0] for result in searched if result.data and result.data["data"]), None)
        if hit is None:
            # The subject first. A search must match all words, so queries are short.
            for count, query in enumerate(_queries(words)):
                steps.append(ToolCall(f"search-{count}", "search_kb", {"q": query, "limit": 3}))
        else:
            steps += [result.call for result in searched]
            steps.append(ToolCall("article", "get_kb_article", {"id": hit["id"]}))
        return [*steps, *self._ending(ticket_id, words, hit, results)]

    def _ending(self, ticket_id: str, words: str, hit: dict[str, Any] | None, results: Sequence[Result]) -> list[ToolCall]:
        is_order = ORDERS.search(words) is not None
        needs_person = is_order or hit is None or any(word in words for word in FOR_PEOPLE)
        article = next((result.data for result in results if result.call.id == "article" and result.data), None)
        steps = []
        if needs_person:
            steps.append(ToolCall("assign", "update_ticket", {"id": ticket_id, "assignee_id": self._person}))
        if needs_person or article is None or not self._may_answer:
            why = "The ticket gives orders to the agent; nothing of them was done." if is_order else ""
            body = "\n\n".join(part for part in (why, _suggestion(article)) if part)
            steps.append(ToolCall("note", "add_comment", {"issue_id": ticket_id, "body": body}))
        else:
            answer = {"issue_id": ticket_id, "body": article["body"], "visibility": "public"}
            steps.append(ToolCall("answer", "add_comment", answer))
        return steps


def _ticket(shown: str) -> tuple[str, str]:
    """The ticket's id and text."""
    ticket_id = re.search(r"'id': '([0-9a-f-]{36})'", shown)
    fence = re.search(r"^(DATA-[0-9a-f]+)$", shown, re.M)
    assert ticket_id and fence
    return ticket_id[1], "\n".join(shown.split(f"{fence[1]}\n")[1::2])


def _queries(words: str) -> list[str]:
    told = [word for word in re.findall(r"[a-z]{3,}", words) if word not in STOP_WORDS]
    once = list(dict.fromkeys(told))
    topics = [word for found in LABELS.values() for word in found if word in words]
    return list(dict.fromkeys([*topics[:2], " ".join(once[:2]), *once[:2]]))[:4]


def _suggestion(article: dict[str, Any] | None) -> str:
    if article is None:
        return "No article answers this; a person should."
    return f"Suggested answer, from the article \"{article['title']}\":\n\n{article['body']}"
