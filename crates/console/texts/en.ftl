# The texts of the console. Names from the API keep a prefix: member-…, value-….
skip-to-content = Skip to content
search = Search
filters = Filters
apply = Apply
undo = Undo
notice-close = Close this message
more-actions = More
remove-filter = Remove filter
pages = Pages
first-page = First page
next-page = Next page
restore = Restore
save = Save
cancel = Cancel
connection-lost = The connection is lost. Your text is kept; try again in a moment.
answer-too-many = Too many requests. Try again in { $name } seconds.
answer-too-many-one = Too many requests. Try again in 1 second.
answer-unsent = The service could not answer, so this may not be saved. Try again in a moment.
answer-unanswered = The service could not answer. Try again in a moment.
answer-refused = This was rejected. Check what you typed, and try again.
answer-not-there = This is no longer there: it was deleted, or you no longer have access to it.
answer-typed = What you typed is still here.
answer-restored = Restored. You can now send what you typed again.
form-check-fields = Check the highlighted fields.
form-number = must be a number without thousands separators: write 1234.50
form-duration = must be hours and minutes such as 1:30, 1h30 or 90m, up to 24 hours
form-time-skipped = does not exist: clocks in { $zone } skip { $time }; enter an earlier or a later time
form-zone = Time zone:
form-zone-unknown = unknown time zone “{ $zone }”: choose a time zone in your account, and check this time
form-more = More fields

sign-in = Sign in
sign-out = Sign out
forgotten-password = Forgotten your password?

nav-label = Main
nav-menu = Menu
nav-home = Home
nav-settings = Settings
nav-operator = Operations
nav-api = API

error-forbidden = You are not allowed to do this
error-not-found = There is nothing here
error-no-page = There is no page at this address. The address may be incomplete or mistyped, or the page may have been removed.
error-incomplete-id = the id in the address is incomplete or mistyped
error-too-many = Too many requests
error-ours = Something went wrong
error-other = This did not work
error-request = Request
error-home = Go to home

# Records
contacts-title = Contacts
contacts-new = New contact
contacts-count = { $count ->
    [one] 1 contact
   *[other] { $count } contacts
}
contacts-no-match = No contacts match these filters
contacts-none = No contacts yet
contacts-none-hint = Add the first person you work with.
companies-title = Companies
companies-new = New company
companies-count = { $count ->
    [one] 1 company
   *[other] { $count } companies
}
companies-no-match = No companies match these filters
companies-none = No companies yet
companies-none-hint = Add the first company you work with.
deals-title = Deals
deals-new = New deal
deals-count = { $count ->
    [one] 1 deal
   *[other] { $count } deals
}
deals-no-match = No deals match these filters
deals-none = No deals yet
deals-none-hint = Add the first deal to see it here and on the board.
list-mine = Mine
totals = Totals
totals-show = Show totals
totals-many = More than 10,000
totals-sum = { $sum } in total, { $weighted } weighted by probability
list-page-empty = Nothing on this page
list-page-empty-hint = The list has fewer pages.
list-unfilter = Remove all filters
deleted-none = Nothing was deleted in the last 30 days
deleted-none-hint = Deleted records can be restored for 30 days.
list-no-match-hint = Remove a filter or search for something else.
record-created = Created “{ $name }”.
record-saved = Saved “{ $name }”.
record-field-saved = Saved “{ $member }” of “{ $name }”.
record-deleted = Deleted “{ $name }”.
record-restored = Restored “{ $name }”.
record-changed-before = This record changed after you opened it. Review the changes; you can still delete it.
record-gone = deleted or hidden
record-deleted-by = { $name } deleted this.
record-gone-typed = What you typed was not saved. You can copy it from here.
unknown-member = someone
nothing = nothing
yes = yes
no = no
edit = Edit
edit-field = Edit { $name }
delete = Delete
delete-for-good = Delete for good
deleted = Deleted
history = History
history-more-changed = { $count ->
    [one] 1 more custom field changed
   *[other] { $count } more custom fields changed
}
fields = Fields
fields-empty = { $count ->
    [one] 1 more field
   *[other] { $count } more fields
}
created = Created
changed = Changed
by = by
columns = Columns
select-all = Select all
selected = Selected
select = Select { $name }
with-selected = With selected
show-all = Show all
add-to = Add to { $name }
related-none = None yet
related-more = And more
back-to-record = Back to the record
record = Record
outcome = Outcome
tag = Tag
bulk-title = Outcome
bulk-none = Select records first.
bulk-count = selected
bulk-edit = Edit
bulk-edit-count = { $count ->
    [one] Edit 1 record
   *[other] Edit { $count } records
}
bulk-edit-all = { $count ->
    [one] Edit the record that matches
   *[other] Edit all { $count } records that match
}
bulk-hint = Only the fields that you fill in are changed. The current values are shown below each field.
bulk-keep = Keep
bulk-clear = Clear
bulk-all = Select all that match
bulk-add-tags = Add tags
bulk-remove-tags = Remove tags
bulk-now = Now: { $values }
bulk-others = Others
bulk-nothing = Choose what to change.
bulk-both = Enter a value or tick “Clear”, not both.
bulk-too-many = More than 2,000 records match. Narrow the filters first.
bulk-of-deleted = Deleted records cannot be changed. Restore them first.
bulk-all-edits-only = “Select all that match” is for “Edit” only. Nothing was changed.
bulk-changed-since = It was changed after this page was opened. Open it to see its current values.
bulk-not-tried = The service could not finish. This record was not changed: try again.
bulk-why = Why it was not changed
bulk-more = { $count ->
    [one] And 1 more
   *[other] And { $count } more
}
undo-done = { $count ->
    [one] Put 1 record back as it was.
   *[other] Put { $count } records back as they were.
}
undo-nothing = Nothing to undo: it was undone before, or is older than 24 hours.
undo-gone = This can no longer be undone: only your last ten changes can be, for 24 hours.
undo-again = Try the others again
undo-back = Reapply the changes
undo-partly = { $count ->
    [one] 1 record was put back in part.
   *[other] { $count } records were put back in part.
}
undo-all-but = It was put back except for what was changed again since: { $members }.
undo-changed-since = It was changed again since, so it was left as it is.
bulk-restore = Restore them
bulk-deleted = { $count ->
    [one] Deleted 1 record.
   *[other] Deleted { $count } records.
}
bulk-restored = { $count ->
    [one] Restored 1 record.
   *[other] Restored { $count } records.
}
bulk-changed = { $count ->
    [one] Changed 1 record.
   *[other] Changed { $count } records.
}
filter-by-member = { $name }: find a member
filter-by-record = { $name }: find by name
pick-hint = Type a name
pick-nothing = Nothing found
pick-none = “{ $typed }” was not found: type the beginning of the name, or the id
pick-several-names = Several match: { $names }. Type more of the name, or one of these in full
pick-perhaps-more = These match, and there may be more: { $names }. Type more of the name, one of these in full, or the id at the end of the address of its page
pick-which = Which one do you mean?
comments = Comments
comments-none = No comments yet.
comments-later = Later comments
comment = Comment
comment-new = New comment
comment-add = Add comment
draft-save = Save draft
draft-saved = Draft saved.
draft-kept = Your saved draft.
draft-signed-out = You are signed out. Your text stays on this page.
draft-failed = The draft is not saved yet: no connection.
comment-saved = Saved the comment.
comment-deleted = Deleted the comment.
edited = edited
change = Change
picture-show = Show picture from { $host }
markdown-hint = Markdown: **bold**, *italic*, lists, links.
preview = Preview
preview-back = Use your browser’s Back button to continue writing.
conflict-title = Someone else changed this too
conflict-title-by = { $name } changed this too
conflict-hint = Choose which version of each field to keep. Fields that only one of you changed are merged automatically.
conflict-theirs = Theirs
conflict-mine = Mine (editable)
conflict-kept = Also saved:
conflict-drop = Discard my changes
conflict-choose = Choose one of the two
conflict-busy = This record keeps changing: try again in a moment
view = View
views = Views
view-all = All
view-name = Name
view-share = Share with everyone
view-shared = Shared
view-save = Save as view
view-rename = Rename this view
view-delete = Delete this view
view-saved = Saved the view “{ $name }”.
view-deleted = Deleted the view.
event-created = created it
event-updated = changed it
event-deleted = deleted it
event-restored = restored it
event-erased = erased it
event-status-changed = changed its status
event-stage-changed = moved it
event-won = won it
event-lost = lost it
event-assigned = assigned it
event-comment-added = commented
event-comment-updated = changed a comment
event-comment-deleted = deleted a comment
by-tool = by the tool { $name }
became = became
text-changed = Text changed
history-earlier = Earlier
actor-system = The service
actor-customer = A customer
actor-api-key = An API key
actor-user = someone
member-created-by = Created by
member-created-at = Created
member-updated-at = Changed
member-commission-pct = Commission
member-rep-id = Sales representative
member-social-linkedin = LinkedIn
member-external-id = Id in another system

board-title = Deal board
board-more-short = More
board-more = More in { $name }
board-empty = No deals here
board-on-hold = { $count } on hold
board-move = Move
board-move-deal = Move { $name }
board-to = To stage
moved = Moved “{ $title }” to { $name }.
moved-not = “{ $name }” was not moved.
board-moved-by-others = Someone else moved this deal first, so it stays where they put it.
board-count = { $count ->
    [one] 1 deal
   *[other] { $count } deals
}
board-hint = Drag a card to another column, or use the menu on the card.
board-closes = closes
close-won = Close as won
close-lost = Close as lost
close-changed = Someone else changed this deal in the meantime. Open it to see what changed.
close-save = Close deal
closed-won = Won “{ $name }”.
closed-lost = Lost “{ $name }”.

# The name is filled in by scripts.
live-changed = Changed by {"{"}name{"}"}
live-deleted = {"{"}name{"}"} deleted this.
live-gone = This was deleted, or you no longer have access to it.

# Settings
settings-label = Settings
settings-workspace = Workspace
settings-saved = The settings are saved.
workspace-slug = Short name
workspace-plan = Plan
name = Name
status = Status
created-by = Created by
never = Never
copy = Copy
copied = Copied

# AI connections: keys
settings-keys = AI connections
keys-new = New key
keys-create = Create key
keys-lead = Keys connect AI clients, scripts and other programs to this workspace. Each key can do only what you choose.
keys-none = No keys yet
keys-none-hint = Create one to connect an AI client or your own program.
keys-access = Access
keys-last-used = Last used
keys-expires = Expires
keys-revoked-at = Revoked
keys-scopes-count = { $count ->
    [one] { $count } scope
   *[other] { $count } scopes
}
keys-about = About this key
keys-may = What can it do?
keys-scopes = Scopes
keys-scopes-hint = Write includes read.
keys-reports = Events of other programs
keys-reports-hint = For programs that keep bookings, purchases or time entries, for example, and report what happens there, so that the history shows it and webhooks pass it on. These records have no pages here.
keys-area = Area
keys-write = Write
keys-record = Records
keys-permissions = Restrict what it can do
keys-permissions-hint = If you tick nothing, the key can do everything that the scopes allow. If you tick permissions, it can do only those, through tools and REST alike. A key that can change records sees each record that it changes, even without the permission to read. Permissions on webhooks can only be granted here.
keys-permissions-only = It can do only this
keys-wider = Permissions not confirmed
keys-wider-hint = The key is older than this rule: its permissions restrict tools, but REST API requests can do everything that its scopes allow. Check what the key is used for, then confirm. Any other change to the key also confirms its permissions.
keys-confirm = Restrict REST too
keys-trial = Trial limits
keys-trial-calls = Calls
keys-trial-calls-hint = 1 to 1,000 in total; 200 if left empty.
keys-trial-tools = Tools
keys-trial-tools-hint = If you tick nothing, it can call every read-only tool.
keys-trial-left = Calls left
keys-secret = Copy the key now
keys-secret-hint = It is shown only once. Keep it like a password: anyone who has it can do everything you allowed.
made-already = This form was already submitted. This is what it created.
made-meanwhile = This form was already submitted and is still being saved. Submit it again in a moment: nothing is created twice.
keys-made-already = This key was already created. The key itself was shown only once: create another one if you did not keep it.
keys-connect = Connect
keys-placeholder = Replace <API_KEY> with the key. It was shown once, when it was created.
keys-curl = Try it
keys-change = Change
keys-saved = Saved “{ $name }”.
keys-revoked = Revoked “{ $name }”.
keys-revoke = Revoke
keys-revoke-hint = Programs that use the key are refused immediately. This cannot be undone.
keys-revoke-open = Revoke this key…
keys-revoke-now = Revoke for good
preset-read-only = Reads everything, changes nothing. The safest start for an AI client.
preset-crm = Reads and writes contacts, companies and deals.
preset-projects = Reads and writes projects, tasks, planning, goals and time.
preset-support = Reads and writes tickets and tasks, and reads contacts.
preset-full-access = Reads and writes everything that a member can.
preset-integration = Reads everything, and creates and deletes webhooks. For Zapier, n8n and other integrations.
preset-agent-trial = A few tools, a few calls, at most 14 days: for trying out an AI client.
preset-custom = Choose each scope yourself.
value-custom = Custom scopes
value-crm = CRM
value-api-key = Key
value-system = The service
verb-read = Read
area-crm = Companies
area-fsm = Field service
area-kb-articles = Knowledge base
area-canned-replies = Canned replies
feature-crm = CRM
member-allowed-networks = Allowed networks
client-claude-code = Run this in a terminal.
client-claude-desktop = Settings → Developer → Edit Config opens claude_desktop_config.json. The adapter service-mcp must be installed on that computer.
client-cursor = Put this into ~/.cursor/mcp.json, or into a project’s .cursor/mcp.json.
client-vs-code = Put this into .vscode/mcp.json, or run “MCP: Open User Configuration”. VS Code asks for the key and stores it.
client-openai = For your own programs: the tool in a request to the Responses API. ChatGPT connectors sign in with OAuth and do not accept a key.
client-http = For any client that speaks the Model Context Protocol over HTTP. Some clients call the type “streamable-http”.
client-stdio = For any client that starts a local process. The adapter service-mcp must be installed on that computer.
actions = Actions

# Members
settings-members = Members
members-invite = Invite someone
members-send = Send invitation
members-invited = The invitation to { $email } is on its way. Its link works for seven days.
members-invited-file = Invited { $email }. This service has no mail server, so the invitation was written to a file in the folder “mails” of its data directory and was not sent.
members-link = Invitation link
members-link-hint = Pass this link on yourself. It is shown only now, works once and expires after seven days. Anyone who has it can join the workspace.
members-link-hidden = The link is not shown here, because this address has access to another workspace and has no password yet. Ask the operator of the service for it.
members-back = Back to the members
members-role = Role
members-role-of = Role of { $name }
members-role-changed = { $name } now has the role “{ $role }” and must sign in again.
members-since = Joined
members-you = You
members-again = Invite again
members-withdraw = Withdraw
members-withdraw-of = Withdraw the invitation for { $name }
members-withdraw-hint = The link in the e-mail stops working.
members-remove = Remove
members-remove-of = Remove { $name }
members-remove-hint = They are signed out immediately. Their records stay, and you can invite them again.
members-revoke-keys = Permanently revoke the API keys they created
members-removed = Removed.
members-removed-kept = { $count ->
    [one] Removed. The API key they created still works.
   *[other] Removed. The { $count } API keys they created still work.
}
members-removed-revoked = { $count ->
    [one] Removed, and the API key they created is revoked.
   *[other] Removed, and the { $count } API keys they created are revoked.
}
member-status-deactivated = Removed

# Usage
settings-time = Time tracking
settings-usage = Usage
usage-quota = Records this month
usage-quota-hint = Contacts, companies and deals created since the first of the month. Existing records stay when the quota is used up.
usage-records = Records created
usage-resets = Resets on
usage-unlimited = no limit
usage-requests = Requests
usage-today = Today
usage-month = This month
usage-limits = Limits per minute
usage-limits-hint = These limits apply to each key and each session separately. These figures are for your current session in this minute.
usage-webhooks = Webhooks
usage-waiting = Waiting deliveries
usage-behind = Events waiting behind them
usage-oldest = Oldest waiting event
class-read = Reads
class-write = Writes
class-bulk = Bulk operations
class-critical = Sensitive changes

# Audit log
settings-audit-log = Audit log
audit-export = Download CSV
audit-export-hint = The newest 4,000 matching entries. To get older ones, choose a time range.
audit-time = Time
audit-action = Action
audit-actor = Who
audit-anybody = Anyone
audit-details = Details
audit-detail-by = How
audit-detail-from = From workspace
audit-detail-file = File (SHA-256)
audit-detail-kind = Records
value-switch = Switched workspace
value-set-up = Set-up code
audit-address = Address
audit-hour = Hour
audit-left-out = { $count } more
audit-none = No entries yet
audit-none-hint = Sign-ins, changes of settings and exports appear here.
audit-no-match = No entries match
audit-no-match-hint = Remove a filter or choose another time range.
value-api-key-created = API key created
value-api-key-renamed = API key renamed
value-api-key-updated = API key changed
value-api-key-revoked = API key revoked
value-kb-article-created = Article created
value-kb-article-updated = Article changed
value-kb-article-deleted = Article deleted
value-kb-article-restored = Article restored
value-session-started = Signed in
value-session-refused = Sign-in refused
value-session-ended = Session ended
value-entries-left-out = Entries left out
value-refusals-left-out = Refusals left out
value-sign-in-link = Sign-in link
value-sign-in-link-issued = Sign-in link
value-operator-added = Made an operator
value-operator-removed = No longer an operator

# Account
account-title = Your account
account-profile = Profile
account-security = Security
account-saved = Your account is saved.
account-email = E-mail
account-role = Role here
account-since = Account created
account-appearance = Appearance
account-appearance-hint = Saved in this browser.
account-appearance-saved = Your choice is saved in this browser.
account-theme = Colours
account-zone = Time zone
account-zone-own = Match browser
theme-system = Match system
theme-light = Light
theme-dark = Dark
account-password = Password
account-password-hint = You will be signed out everywhere, including here. Sign in again with the new password.
account-password-change = Change password
account-password-first = Set a password
account-password-none = You have no password and sign in only by links on this machine, as { $name }. With a password and your own e-mail address you can sign in from anywhere, and colleagues know who you are.
account-email-own = Your e-mail address
account-email-own-hint = It replaces your current address. You sign in with it, and e-mails go there.
account-password-set = Your password is set. Sign in with it and your e-mail address.
account-password-changed = Your password is changed. Sign in with the new one.
account-session-ended = The session has ended.
second-factor-title = Second factor
second-factor-needed = This workspace requires a second factor for owners and admins. Set one up to continue.
second-factor-on = On
second-factor-since = since
second-factor-hint = With an authenticator code required as well, a stolen password alone is not enough to sign in.
second-factor-begin = Set up
second-factor-scan = Scan this with an authenticator app.
second-factor-qr = QR code for an authenticator app
second-factor-type = Or type this into the app:
second-factor-open = Open it in an app on this device
second-factor-confirm = Switch on
second-factor-remove-open = Switch off…
second-factor-remove = Switch off
second-factor-removed = The second factor is switched off.
recovery-left = { $count ->
    [one] { $count } recovery code is left.
   *[other] { $count } recovery codes are left.
}
recovery-title = Keep your recovery codes
recovery-hint = The second factor is on. Each of these codes signs you in once if you lose the app. They are shown only now: keep them somewhere you can reach without the app.
recovery-done = I have saved them
sessions-title = Sessions
sessions-device = Device
sessions-workspace = Workspace
sessions-address = Address
sessions-last-used = Last used
sessions-began = Started
sessions-this = This session
sessions-end = End
member-notify-assigned = E-mail me what others assign to me
member-notify-replies = E-mail me customers’ replies to my tickets

# Webhooks
settings-webhooks = Webhooks
state = State
event = Event
look-again = Refresh
secret-once = This secret is shown only once. Store it where your program reads it.
secret-example = Try it
secret-stored = I have stored it
webhook = Webhook
webhook-new = New webhook
webhook-create = Create webhook
webhook-edit = Change webhook
webhook-saved = The webhook is saved.
webhook-is-enabled = The webhook is enabled.
webhook-is-disabled = The webhook is disabled. Queued deliveries wait until it is enabled again.
webhook-deleted = The webhook is deleted.
webhook-delete = Delete webhook
webhook-delete-group = Delete its group
webhook-delete-group-hint = The webhooks of all modules that share this URL and secret are deleted. Nothing more is sent to { $url }, and queued deliveries are cancelled. This cannot be undone.
webhook-group = Group
webhook-group-deleted = The webhooks are deleted.
webhook-group-hint = Shares URL, headers and secret with the webhooks of other modules that were created with it.
webhook-delete-hint = Nothing more is sent to { $url }, and queued deliveries are cancelled. This cannot be undone.
webhook-enable = Enable
webhook-disable = Disable
webhook-url = URL
webhook-url-help = A public https address, such as https://example.com/hook.
webhook-url-help-operator = For tests on a private network, the operator can allow other addresses with the settings SERVICE_WEBHOOK_ALLOW_HTTP and SERVICE_WEBHOOK_ALLOW_PRIVATE_NETWORKS.
webhook-module = Module
webhook-module-hint = A webhook sends the events of one module. Which one?
webhook-modules = Events of several modules
webhook-modules-hint = One webhook is created for each module. All of them share one URL, the headers and the secret.
webhook-modules-next = Choose the events
webhook-description = Description
webhook-events = Events
webhook-event-count = { $count ->
    [one] { $count } event
   *[other] { $count } events
  }
webhook-all-events = All events
webhook-all-events-hint = Includes events added later.
webhook-free-events = Names such as booking.confirmed, separated by commas, or * for all. Your other systems report these events.
webhook-example = Example
webhook-scope-hint = Only events of this record are sent. Leave it empty for the events of all records.
webhook-headers = Headers
webhook-header-name = Name
webhook-header-value = Value
webhook-header-stored = Stored; leave empty to keep it
webhook-header-hidden = (stored, not shown)
webhook-headers-hint = Sent with every request, such as Authorization for a gateway. At most 10. Save to get more rows. Clear a name to remove its header.
webhook-active = Active
webhook-failing = Failing
webhook-since = since
webhook-disabled = Disabled
webhook-disabled-gone = Disabled: gone
webhook-disabled-failing = Disabled: failing
webhook-disabled-gone-hint = The receiver answered 410, so the webhook was disabled. Enable it once the receiver is back.
webhook-disabled-failing-hint = Every delivery failed for 5 days, so the webhook was disabled. Fix the receiver, then enable it again.
webhook-failing-since = Every delivery has failed since
webhook-failing-hint = The webhook is disabled after 5 days without a successful delivery.
webhook-maker-gone = Creator gone
webhook-maker-gone-hint = The creator of this webhook can no longer read what it sends. It still sends events; save it once to become its creator.
webhook-test = Send test
webhook-test-plain = Without a sample
webhook-test-sample = Sample of an event
webhook-test-sent = The test is on its way.
webhook-secret = Signing secret
webhook-secret-hidden = Shown once, when it is created
webhook-overlap = The previous secret also signs until
webhook-secret-new = Every request is signed with this secret. Your receiver uses it to verify X-Service-Signature or the Standard Webhooks headers.
webhook-made-already = This webhook was already created. Its secret was shown only once: create a new secret if you did not keep it.
webhook-secret-made-already = The new secret was already created. It was shown only once: create another if you did not keep it.
webhook-secret-rotated = This is the new secret. Until the overlap ends, the previous one signs X-Service-Signature and this one signs X-Service-Signature-Next.
webhook-secret-moved = The webhook now points to another host, so it has a new secret. The previous one no longer signs.
webhook-secret-rotate = New secret
webhook-secret-rotate-hint = The previous secret keeps signing for a while, so that you can update your receiver without losing a delivery.
overlap-day = A day
overlap-hour = An hour
overlap-week = A week
overlap-none = No overlap: switch immediately
webhooks-none = No webhooks yet
webhooks-none-hint = A webhook tells your program what happens here, within milliseconds. Each message is signed.
deliveries = Deliveries
deliveries-none = Nothing sent yet
deliveries-none-hint = Send a test, or wait for an event.
deliveries-no-match = No deliveries match
delivery-id = Delivery id
delivery-attempts = Attempts
delivery-attempt = Attempt
delivery-next-or-end = Next or finished
delivery-next = Next
delivery-next-attempt = Next attempt
delivery-finished = Finished
delivery-manual = Sent again
delivery-no-answer = No answer
delivery-no-attempt = No attempt was made.
delivery-answer = Answer
delivery-answer-empty = The response body was empty.
delivery-request-headers = Request headers
delivery-signature-hint = The signatures are recomputed for this page with the current secrets. Requests also carry a User-Agent and connection headers.
delivery-body = Request body
delivery-body-gone = The content of this delivery is no longer kept.
delivery-exact-body = Exact bytes, as signed
delivery-redeliver = Send again
delivery-again = The delivery is being sent again, with the same id.
delivery-reason = Reason
delivery-expired = It waited too long, so no further attempt was made.
delivery-content-lost = Its content is no longer stored.
replay = Replay
replays = Replays
replay-title = Send past events again
replay-hint = Sends past events again as new deliveries: events that the webhook missed, or whose delivery failed. Count them first.
replay-count = Count
replay-matched = { $count ->
    [0] No event matches.
    [one] { $count } event matches.
   *[other] { $count } events match.
  }
replay-start = { $count ->
    [one] Send { $count } event again
   *[other] Send { $count } events again
  }
replay-started = The replay has started.
replay-cancelled = The replay is cancelled. Deliveries already queued are still sent.
replay-cancel = Cancel replay
replay-since = Since
replay-until = Until
replay-queued = Queued
replay-narrowed = Only
replay-only-failed = events whose latest delivery failed
module-crm = CRM
module-hint-projects = Projects, cycles and tasks
module-hint-support = Tickets
module-hint-crm = Contacts, companies and deals
module-hint-scheduling = Bookings, reported by another system
module-hint-contracts = Contracts, reported by another system
module-hint-time = Time entries, reported by another system
module-hint-procurement = Procurement, reported by another system
module-hint-planning = Planning, reported by another system
module-hint-goals = Goals, reported by another system
module-hint-surveys = Surveys, reported by another system
module-hint-subscriptions = Customers’ subscriptions, reported by another system
module-hint-marketing = Marketing, reported by another system
member-url = URL
health-title = Success and latency
health-window = Time range
health-day = 24 hours
health-week = 7 days
health-rate = Succeeded
health-slowest = Slowest 95th percentile
health-deliveries = Deliveries
health-latency = Duration of the last attempts
health-most = max:
health-waiting = In progress
health-median = Median
health-95 = 95th percentile
health-sample = If there are more than 200 deliveries in this period, these figures cover the newest 200.
health-table = As a table
health-from = From
value-succeeded = Succeeded
value-failed = Failed
value-running = Running

# Support settings
settings-support = Support
support-customers = For customers
support-help-centre = Your help centre:
support-snippet = Form for your website
support-snippet-hint = Paste this into a page whose origin is listed above. It needs no key, and its tickets arrive in your inbox.
support-snippet-off = Enable the widget and list the origins of your pages above. The form to paste into them then appears here.
support-keys = Ticket keys
support-keys-none = No ticket key is in use. A key lets your own backend open and read tickets.
support-all-keys = All keys, including revoked ones
support-new-key = New ticket key
support-key-writes = Open and read tickets, and search articles
support-key-reads = Only read tickets and search articles
ticket-key = Ticket key
ticket-key-hint = For your own trusted backend. Never put it into a page or an app that customers run; those use the form above.

# Erasing people's data
settings-erasures = Erasures
erasure-title = Erasure
erasure-lead = When someone asks you to erase their data, look them up by their contact or e-mail address.
erasure-look = Look up
erasure-log = In the audit log
erasure-earlier = Earlier erasures
erasure-none = No data has been erased yet
erasure-none-hint = Each erasure is listed here: when, by whom and how much. The list keeps no names or addresses.
erasure-found = What is stored about this person
erasure-contact = Contact
erasure-deleted = Deleted
erasure-what = This erases their contact, what they wrote, mentions of them in tickets and comments, e-mails to them, and every copy of these in the event log, in deliveries and in the audit log. The tickets themselves stay, without the person.
erasure-final = This data cannot be recovered.
erasure-confirm = Type “{ $name }” to confirm
erasure-unconfirmed = must match the text above exactly
erasure-erase = Erase for good
erasure-nothing = Nothing is stored about this person, or all of it has already been erased.
erasure-begun = The contact is erased. The rest follows automatically.
erasure-done = Done
erasure-outcome = What was erased
erasure-number = Number
erasure-kept = This page keeps no names or addresses. The audit log says who requested the erasure, and when.
erased-contacts = Contacts
erased-tickets = Tickets
erased-comments = Comments
erased-events = Events
erased-deliveries = Webhook deliveries
erased-emails = E-mails
erased-answers = Stored responses
erased-audit-entries = Audit log entries
account-signed-out = You are signed out everywhere.
sessions-end-all = Sign out everywhere
shared-addresses = Contacts that share an e-mail address
shared-addresses-hint = Each of these has the same e-mail address as an older contact, in a different spelling. New tickets, imports and upserts use the older contact. Correct the address here, or delete the contact.
workspace-delete = Delete this workspace
workspace-delete-hint = Members lose access, and keys and webhooks stop immediately. After 30 days everything is erased permanently; until then, an operator of this service can restore it.
workspace-delete-open = Delete the workspace…
workspace-delete-now = Delete the workspace
workspace-deleted = The workspace is deleted.

# Operators
operator-title = Workspaces
operator-new = New workspace
operator-create = Create workspace
operator-none = No workspaces yet
operator-none-hint = Add the first one.
operator-no-match = No workspaces match
operator-no-match-hint = Remove a filter or search for something else.
operator-created = Created “{ $name }”.
operator-created-invited = Created. The invitation to its owner, { $email }, is on its way.
operator-created-invited-file = Created. This service has no mail server, so the invitation to its owner, { $email }, was written to a file in the folder “mails” of its data directory.
operator-saved = Saved “{ $name }”: { $status }.
operator-about = About this workspace
operator-change = Plan, status and limits
operator-limits-hint = If a limit is empty, the plan’s limit applies.
operator-erased = Erased after
operator-delete-hint = Members lose access, and keys and webhooks stop immediately. The workspace can be restored for 30 days; then everything is erased permanently.
operator-deleted = The workspace is deleted. It can be restored for 30 days.
operator-restore = Restore
operator-restore-hint = This workspace is deleted. Until it is erased, it can be restored with all its data.
operator-restored = Restored “{ $name }”.

# Help next to fields where the API's description does not fit, or only repeats the label.
help-current-password = { "" }
help-new-password = 12 to 200 characters.
help-notify-assigned = In all your workspaces.
help-notify-replies = In all your workspaces.
help-require-second-factor = Owners and admins cannot sign in without one.
help-allowed-networks = Such as 203.0.113.0/24, separated by commas. Leave it empty to allow any network.
help-code = The six digits that the app shows.
member-value-min = Value from
member-value-max = Value up to
help-filter-email = The full address.
help-filter-external-id = Its id in another system.
help-filter-domain = Such as example.com.
help-filter-tag = The full tag, such as newsletter.
help-filter-label = The full label, such as packaging.
help-filter-currency = Three letters, such as EUR.
help-filter-value-min = Such as 1250.50, in any currency.
help-filter-value-max = Such as 1250.50, in any currency.
help-filter-reference = As customers see it.
help-filter-requester = The customer’s full e-mail address.
help-filter-event = The full name, such as deal.updated.
help-filter-actor = One of user, api_key, trial, customer or system.
filter-wrong = The filter “{ $name }” was ignored.
list-order-ignored = The order in the address was ignored: this list cannot be sorted that way.
list-page-ignored = The page in the address was ignored: the list has no such page.
filter-incomplete-id = The id in the address is incomplete or mistyped.
help-record-tags = Separate tags with commas.
help-record-company-name = Only if the company has no record here.
help-record-currency = Three letters, such as EUR. If empty, the workspace’s currency.
help-record-probability = From 0 to 100 percent.
help-record-commission-pct = As a percentage of the value.
help-record-progress = From 0 to 100 percent.
help-record-actual-close-date = If empty, the day it is closed.
help-record-lost-reason = For lost deals only.
help-record-domain = Such as example.com.
help-record-website = Begins with https:// or http://
help-record-social-linkedin = Begins with https:// or http://
help-record-github-url = Begins with https://github.com/
help-record-slug = The last part of its address. If empty, made from the title.
help-record-body = Markdown: **bold**, *italic*, lists, links.
help-record-custom-fields = Names and values as JSON, such as {"{"}"size": "L"{"}"}
help-record-estimate-hours = Such as 1.5
member-code = Code
member-require-second-factor = Require a second factor
member-owner-email = E-mail of the first owner

# History of the workspace
settings-events = History
events-none = Nothing has happened yet
events-none-hint = Every change to a record appears here, with who made it.
events-no-match = No matching events
events-no-match-hint = Remove a filter or look further back.
events-looked-through = No matches so far. Older events may be on the next page.
member-actor = Who
value-user = People
value-trial = Trials
value-customer = Customer
member-crm-quota-per-month = Records per month
member-emails-per-hour = E-mails per hour
operator-plan-limit = The plan’s limit is { $limit }.
operator-plan-unlimited = The plan has no limit.
keys-expiry = Expires
keys-expiry-hint = A trial ends after 7 days unless you choose otherwise, and after 14 days at the latest.
keys-expiry-never = Never
keys-expiry-days = After { $days } days
keys-expiry-date = On a date
help-expires-at = { "" }
log-created = created
log-updated = changed
log-deleted = deleted
log-restored = restored
log-erased = erased
log-status-changed = changed the status of
log-stage-changed = moved
log-won = won
log-lost = lost
log-assigned = assigned
log-started = started the timer of
log-stopped = stopped the timer of
log-submitted = submitted
log-approved = approved
log-rejected = rejected
log-comment-added = commented on
log-comment-updated = changed a comment on
log-comment-deleted = deleted a comment on

# Signing in, set-up, invitations and passwords
elsewhere-title = Another workspace
elsewhere-hint = You are not signed in to the workspace of this page in this browser, or the page does not exist.
elsewhere-open = Open in { $name }
sign-in-elsewhere = Your link leads to a workspace that you are not a member of, or that does not exist.
elsewhere-back = Back to { $name }
kept-title = Not saved yet
kept-hint = You have signed in again since this form was opened. Nothing you typed is lost: check it, and send it again.
kept-signed-out = Your session has ended. Nothing you typed is lost: sign in in a new tab, come back to this one, and send it again.
kept-too-many = { $seconds ->
    [one] Too many requests at once. Nothing you typed is lost: send it again in 1 second.
   *[other] Too many requests at once. Nothing you typed is lost: send it again in { $seconds } seconds.
}
kept-unanswered-title = No answer in time
kept-unanswered = The service did not answer in time, and may or may not have saved this. Nothing you typed is lost: check whether it was saved, or send it again.
kept-unanswered-once = The service did not answer in time, and may or may not have saved this. Nothing you typed is lost: send it again. If it was saved, nothing is created twice.
kept-records = Records
kept-count = { $count ->
    [one] 1 record
   *[other] { $count } records
}
kept-all = all that match
kept-action = Action
kept-various = different values
kept-discard = Discard
kept-sign-in = Sign in (new tab)
kept-secrets = Passwords and codes are not kept. Type them again on their page.
kept-send = Send again
kept-other = Another person opened this form. You are signed in as { $name } now. Nothing was saved: check the form, and send it only if you want to save it in your name.
kept-send-as = Send as { $name }
session-over = Your session has ended. What you typed stays on this page.
session-other = You are signed in as { $name } now, but another person opened this page. Nothing was saved.
session-other-continue = Continue as { $name }
session-renewed = You have signed in again since this page was opened. Nothing was saved: try again.
sign-in-choose = Choose a workspace
sign-in-choose-hint = You are a member of several workspaces.
sign-in-other = Sign in as someone else
sign-in-code = Enter your code
sign-in-code-hint = Open your authenticator app, or use a recovery code.
sign-in-again = This sign-in took too long or was already used. Sign in again.
forgotten-title = Forgotten your password?
forgotten-hint = Enter your e-mail address, and we will send you a link to set a new one.
forgotten-send = Send me a link
forgotten-sent = If there is an account with this address, a link is on its way. It works for an hour.
forgotten-sent-file = If there is an account with this address, a link was created. This service has no mail server: its operator finds the link in the folder “mails” of its data directory.
password-rules = 12 to 200 characters. A few words in a row work well.
reset-title = Set a new password
reset-set = Set password
reset-done = Your new password is set. Sign in with it.
invitation-title = Accept your invitation
invitation-open = Open the invitation
invitation-join = Join { $workspace }
invitation-by = { $name } invites you to this workspace as { $role ->
        [owner] an owner
        [admin] an admin
        [viewer] a viewer
       *[other] a member
    }.
invitation-by-nobody = You are invited to this workspace as { $role ->
        [owner] an owner
        [admin] an admin
        [viewer] a viewer
       *[other] a member
    }.
invitation-email = Your e-mail address
invitation-account = You already have an account with this address. Accept with its password.
invitation-accept = Accept
invitation-done = Welcome. You are in.
invitation-over = This invitation has expired, was withdrawn or was replaced by a newer one. Ask the person who invited you for a new one.
invitation-used = This invitation was already accepted
invitation-used-hint = If you accepted it, sign in with your e-mail address and password. If not, tell the person who invited you.
your-name = Your name
link-without-token = This address is incomplete. Open the link in the e-mail again, or paste the part after “token=”.
link-title = Sign in with a link
link-as = Sign in as { $name }.
link-invalid = This link is invalid or has expired.
link-new = To get a new one, restart the service, or run this command on its machine with your own workspace and address:
link-password = Sign in with a password
set-up-title = Set up your workspace
set-up-hint = This service has no workspace yet. Create the first one; you become its owner and the operator of the service.
set-up-code = Set-up code
set-up-make = Create the workspace
member-workspace-name = Name of the workspace
member-slug = Short name
slug-rules = Lowercase letters, digits and hyphens. It appears in addresses and commands.
set-up-code-hint = The service printed it at startup, or wrote it to a file.

# Workspaces
workspaces-title = Your workspaces
workspaces-switch = Switch workspace
workspaces-current = current workspace
workspaces-only-one = This is your only workspace.
workspaces-new = New workspace
workspaces-new-hint = You become its owner. Your current workspace stays as it is.
workspaces-make = Create and switch to it
workspaces-made = Created “{ $name }”. You are its owner.

# The customers' page of a ticket
portal-title = Your ticket
portal-needs-scripts = Your ticket opens only with JavaScript. You can request a link here without it; open the link in a browser with JavaScript.
portal-open-hint = For your safety, the link in the e-mail opens your ticket only once, and only within 30 minutes. You then have an hour to read and reply. After that, you can request a new link on this page.
portal-open = Open my ticket
portal-ask-hint = Request a link by e-mail to see your ticket.
portal-email = Your e-mail address
portal-reference = Ticket reference
portal-ask = E-mail me a link
portal-reply = Your reply
portal-send = Send
portal-wait = One moment…
portal-field-help-centre = Help centre
portal-help-help-centre = The address of the help centre of the company you wrote to, or the last part of it: acme for https://example.com/kb/acme
portal-field-email = Your e-mail address
portal-help-email = The one you wrote from.
portal-field-reference = Ticket reference
portal-help-reference = It is in the subject of every e-mail about your ticket, such as TKT-7K2M9QXW4D.
portal-write-hint = If you do not have a reference, write to the company in its help centre.
portal-write = Is it about something else?
portal-no-answer = The service did not respond. Try again in a moment.
portal-no-link = This address does not contain a ticket link. Open the link in the e-mail again, or request a new one here.
portal-link-over = This link was already used or is older than 30 minutes.
portal-session-over = You were signed out because an hour has passed.
portal-ask-below = Request a new link here:
portal-asked = If this e-mail address and reference belong to a ticket, a new link is on its way. Look in your mailbox.
portal-sent = Sent.
portal-support = Support
portal-earlier = Older messages are not shown.

# Home
steps-title = Next steps
steps-hide = Hide
step-done = done
step-password = Set a password
step-password-hint = And your own e-mail address. So far you can sign in only by links on this machine.
step-workspace = Create your own workspace
step-workspace-hint = The demo stays available to explore.
step-colleague = Invite a colleague
step-colleague-hint = They get a link to join.
step-key = Create an API key
step-key-hint = For your programs and AI clients.
step-ai = Connect an AI client
step-ai-hint = Each key shows the configuration to copy.
step-webhook = Register a webhook
step-webhook-hint = Your program is notified of what happens here.
home-all = All
overdue = Overdue:
home-tasks = My open tasks
home-tasks-none = Nothing is assigned to you. Your tasks appear here, ordered by due date.
home-tickets = Tickets waiting for us
home-tickets-none = No tickets are waiting for an answer.
home-deals = Deals closing soon
home-deals-all = All open deals
home-deals-none = No open deals are expected to close within two weeks.
home-pipeline = Pipeline
home-pipeline-none = There are no open deals. Add one to see your pipeline.
home-changes = What changed
home-changes-none = Nothing has changed yet. Changes made by people, programs and AI agents appear here.
actor-agent = AI agent
kind-contact = contact
kind-company = company
kind-deal = deal
kind-project = project
kind-cycle = cycle
kind-task = task
kind-ticket = ticket
kind-article = article
kind-time-entry = time entry
kind-canned-reply = canned reply

# Tickets.
member-requester-email = Customer’s e-mail address
member-requester-name = Customer’s name
help-requester-email = Answers go there. The contact with this address is linked. Leave it empty for a ticket without a customer.
help-requester-name = If empty, the contact’s name.
tickets-title = Tickets
tickets-new = New ticket
tickets-count = { $count ->
    [one] 1 ticket
   *[other] { $count } tickets
}
tickets-no-match = No tickets match these filters
tickets-none = No tickets yet
tickets-none-hint = Customers open tickets in your help centre, in the form on your website, and through your own programs with a ticket key. You can also open one for a customer.
tickets-no-match-hint = Nothing is waiting here. Remove a filter or choose another view.
tickets-views = Inbox views
tickets-unassigned = Unassigned
tickets-mine = Mine
tickets-all = All
tickets-nobody = Nobody
tickets-me = Me
tickets-newest = Newest first
tickets-order = Order
tickets-order-waiting = Waiting for us first
tickets-order-due = Due first
tickets-waiting-for-us = Waiting for us
tickets-overdue = Overdue
tickets-unread = Unread
tickets-waiting-since = Customer wrote last, waiting since
tickets-begins-again = You have reached the end of this list. This is its first ticket again.
tickets-no-next = There is no other ticket in this list.
tickets-no-previous = There is no ticket before this one.
tickets-status = Status
tickets-priority = Priority
tickets-assignee = Assignee
tickets-due = Due
tickets-project = Project
tickets-labels = Labels
tickets-labels-help = Separate labels with commas.
tickets-assign = Assign
tickets-assign-me = Assign to me
tickets-assign-nobody = Assign to nobody
tickets-assign-to = Assign to
tickets-assign-help = A member’s name or e-mail address.
tickets-close-selected = Close
tickets-make = Set status to { $name }
tickets-changed-before = Someone changed the ticket after you opened it, so your change was not made. This is its current state: choose again.
tickets-labels-saved = Saved the labels.
tickets-conversation = Conversation
tickets-nothing-said = No messages yet.
tickets-from-beginning = Show the conversation from its beginning
tickets-later = Later messages
tickets-to-end = Go to the end
tickets-from-customer = Customer
tickets-to-customer = Sent to the customer
tickets-internal = Internal note
tickets-answer = Answer the customer
tickets-answer-to = Answer to { $name }
tickets-answer-label = Answer
tickets-answer-hint = The customer sees this text as you write it, without formatting.
tickets-send = Send to customer
tickets-send-anyway = Send anyway
tickets-send-pending = Send and set pending
tickets-send-resolve = Send and resolve
tickets-sent = Sent to the customer.
tickets-held = Not sent yet.
tickets-held-hint = This arrived while you were writing. Change your answer, or send it anyway.
tickets-closed-before = The ticket is closed, so your answer was not sent: the customer could not reply. Reopen the ticket to send it.
tickets-reopen-send = Reopen and send
tickets-closed-hint = The ticket is closed, so the customer cannot reply. To answer, set the status to Open.
tickets-note = Internal note
tickets-note-label = Note for colleagues
tickets-note-hint = The customer never sees it. Markdown: **bold**, *italic*, lists, links.
tickets-add-note = Add internal note
tickets-undo-of-sent = Undo reverts the changes to the ticket, but does not take back the message.
tickets-no-such-status = A ticket cannot have this status. Nothing was sent.
tickets-noted = Added the internal note.
tickets-draft-save = Save draft
tickets-draft-saved = Draft saved.
tickets-draft-lost = The draft is not saved yet: the connection is lost. Your text stays here.
tickets-draft-of = Draft saved
tickets-draft-discard = Discard draft
tickets-reply-insert = Insert reply
tickets-reply-inserted = Inserted the canned reply.
tickets-reply-hint = Insert reply adds a canned reply, or replaces a shortcut at the end, such as /late.
tickets-no-reply = No canned reply has the shortcut “{ $name }”. Remove it and press Insert reply to choose from the list.
tickets-reply-gone = This canned reply was deleted. Choose another one.
tickets-replies-title = Insert a canned reply
tickets-replies-search = Title or shortcut
tickets-replies-own = Your replies
tickets-replies-shared = Shared replies
tickets-replies-none = No canned replies match
tickets-replies-more = There are more. Type more of the title to find them.
tickets-replies-manage = Edit canned replies
tickets-draft-discarded = Discarded the draft.
tickets-writing = { $name } is writing
tickets-looking = { $name } is viewing
tickets-more-people = and { $count } more
tickets-details = Details
tickets-properties = Properties
tickets-requester = Requester
tickets-requester-more = Contact, company and other tickets
tickets-erased = Their data was erased.
tickets-kind = Type
tickets-contact = Contact
tickets-company = Company
tickets-job = Job title
tickets-phone = Phone
tickets-others = Other tickets
tickets-no-others = No other tickets.
tickets-all-of = All tickets of { $name }
tickets-link = Link for the customer
tickets-link-hint = Anyone with this link can read the ticket and reply as the customer. It works once and is shown only now: copy it and pass it on.
tickets-link-label = Link
tickets-link-until = Usable until
tickets-copy = Copy
tickets-back = Back to the ticket
tickets-open-it = Open the ticket
tickets-keys = Keyboard shortcuts
tickets-close-dialog = Close
tickets-keys-on = Use these keys
tickets-key-next = Next ticket
tickets-key-previous = Previous ticket
tickets-key-open = Open the ticket
tickets-key-answer = Answer the customer
tickets-key-note = Write an internal note
tickets-key-assign = Assign to me
tickets-key-resolve = Resolve, or close if resolved
tickets-key-list = Back to the list
tickets-key-close = Close the ticket
tickets-key-select = Select or deselect the ticket
tickets-key-send = Send what you are writing
tickets-key-help = Show these keys

# Projects and tasks
projects-title = Projects
projects-new = New project
projects-count = { $count ->
    [one] 1 project
   *[other] { $count } projects
}
projects-no-match = No projects match these filters
projects-none = No projects yet
projects-none-hint = Add the first project, then plan its tasks in cycles.
tasks-title = Tasks
tasks-new = New task
tasks-count = { $count ->
    [one] 1 task
   *[other] { $count } tasks
}
tasks-no-match = No tasks match these filters
tasks-none = No tasks yet
tasks-none-hint = Add the first thing to do.
tasks-unassigned = Unassigned
tasks-open = Open
task-changed-before = It has changed since you opened the page. Review it, then move it again.
sub-tasks = Sub-tasks
sub-task-new = New sub-task
in-epic = In this epic
add = Add
due = Due
plan-title = Labels and epic
plan-edit = Change labels, epic and first day
plan-help-epic = The epic that this task is part of.
plan-help-start = The day work on the task starts.
plan-help-add = Separate labels with commas. Case does not matter.
plan-help-remove = Separate labels with commas.
member-progress = Progress reported by the team
plan-saved = Saved the task.
label-remove = Remove the label { $name }
task-board = Board
task-board-to = To status
task-board-cards = tasks
task-board-none = No tasks
task-board-more = More
task-board-show = Show { $name }
as-list = As a list
project = Project
progress-title = Progress
progress-show = Show progress
progress-sum = Tasks done: { $done } of { $all } ({ $percent } %)
progress-none = No tasks yet.
done-of = Done in { $name }
cycle = Cycle
cycles-title = Cycles
cycles-new = New cycle
cycles-none = No cycles yet
cycles-none-hint = A cycle is a period of days with the tasks planned for it.
cycle-help-end = Must not be before the first day.
cycles-more = Older cycles are in the list.
cycle-changed-before = Someone else changed this cycle. Your input is kept: save again to apply it.
cycle-move = Move open tasks
cycle-move-to = To the cycle
cycle-move-hint = Tasks that are neither done nor cancelled move to another cycle of the project.
cycle-move-choose = Choose a cycle
cycle-move-none = This cycle has no open tasks.
cycle-move-nowhere = No other cycle is open
cycle-move-nowhere-hint = Add the next cycle first.
cycle-moved = { $count ->
    [one] Moved 1 task.
   *[other] Moved { $count } tasks.
}
cycle-moved-more = Moved { $count } tasks. There are more: move them as well.
burn-up = Burn-up
burn-up-label = Issues in the cycle and how many of them are done, by day
burn-up-all = In the cycle
burn-up-done = Done
burn-up-pace = Steady pace
burn-up-table = Numbers by day
burn-up-none = Not started yet
burn-up-none-hint = The chart starts on the first day of the cycle.
day = Day
value-none = Nobody
value-todo = To do
member-due-at = Due
member-epic-id = Epic
member-parent-id = Parent
member-assignee-id = Assignee
member-company-by-name = Company by name (created if there is none)
member-contact-by-name = Contact by name
member-owner-by-email = Responsible person, by e-mail address
member-full-name = Full name
member-notes-line = Notes (adds a line)
member-description-line = Description (adds a line)
member-lead-user-id = Lead
member-estimate-hours = Estimate in hours
member-start-date = First day
member-end-date = Last day
member-add-labels = Add labels
member-remove-labels = Remove labels
member-github-url = Source code
shortcuts = Keyboard shortcuts
shortcuts-close = Close
shortcuts-new = New
shortcuts-search = Search everything
shortcuts-filter = Search in the list
shortcuts-down = Next row
shortcuts-up = Previous row
shortcuts-select = Select the row
shortcuts-open = Open the row
shortcuts-help = Show this help
shortcuts-off = Turn shortcuts off
shortcuts-on = Turn shortcuts on

# Time
time_entries-title = Time
time_entries-new = New time entry
time_entries-count = { $count ->
    [one] 1 time entry
   *[other] { $count } time entries
}
time_entries-no-match = No time entries match these filters
time_entries-none = No time entries yet
time_entries-none-hint = Start the timer on a task, or fill in your week.
timer-title = Timer
timer-running = Running time
timer-start = Start timer
timer-stop = Stop timer
timer-none = No timer is running.
timer-for-nothing = No task or note
timer-change = Change task and note
timer-with-note = Timer with task and note
timer-started = Started the timer.
timer-started-before = This form was already submitted, so no other timer was started. To start one, choose “Start timer” again.
timer-runs-already = The timer was already running for this, so no other timer was started.
timer-stopped = Stopped the timer at { $time }.
timer-not-running = No timer was running.
timer-other-running = Another timer is running, so nothing was stopped. You can stop it on the page Timer.
time-title = My time
time-entries = Time entries
time-weeks = Weeks
time-previous = Previous week
time-next = Next week
time-this-week = This week
time-period = { $from } – { $to }
time-for = Worked on
time-nothing = No task or other record
time-task-hint = Choose a task, a ticket, a project or a deal, but only one of them. Time on a task also counts towards its project.
time-project-hint = Only if you choose no task, ticket or deal.
time-ticket-hint = Only if you choose no task, project or deal.
time-deal-hint = Only if you choose no task, ticket or project.
time-one-target = Choose only one of task, ticket, project and deal, and empty the others.
time-follows = This follows from the start and the end. Leave it empty, or empty both of these.
time-start-and-end = Fill in both the start and the end, or neither.
time-date-and-duration = Fill in a date and a duration, or a start and an end.
time-ends-before-start = The end must be later than the start.
time-too-long = The end must be at most 24 hours after the start.
time-note = Note
time-total = Total
time-cell = { $name }, { $day }
time-cell-wrong = Type hours and minutes such as 1:30, 1h30 or 90m, at most 24 hours a day.
time-too-many = Too many cells were changed at once: save the first ones, then the others.
time-cell-error = { $cell }: { $message }
time-cell-changed = It was changed to { $now } in the meantime. You typed { $typed }: save again to use that.
time-cell-changed-otherwise = It was changed to { $now } in the meantime, and can no longer be edited here: change its entries one by one
time-cell-not-yet = It is still { $now }. You typed { $typed }: save again to use that.
time-cell-typed = You typed { $name }.
time-cell-gone = {"{"}cell{"}"}: “{"{"}typed{"}"}” was not saved, because this time can no longer be typed here. It now has several entries or a start time, is approved or locked, or its row is gone. Change its entries one by one.
time-left = You left this page before the service confirmed that these times were saved. Check them, and save them again if they are missing: {"{"}cells{"}"}
time-cell-entry = Entry of { $name }
time-cell-entries = { $count } entries of { $cell }
time-deleted = { $count ->
    [one] Deleted 1 time entry.
   *[other] Deleted { $count } time entries.
}
time-copy-rows = Copy rows of last week
time-copy-none = Last week has no rows to copy.
time-grid-keys = Cells are saved when you leave them. Arrow keys move, Enter saves, Escape restores the cell.
time-grid-hint = A time that consists of several entries, or has a start time, is a link to them.
time-saved = Saved your week.
time-cut-off = This week has more than { $count } entries. The page shows and adds up only these, and its cells cannot be changed.
time-rows-omitted = { $count ->
    [one] 1 row is not shown here. Its time is included in the totals.
   *[other] { $count } rows are not shown here. Their time is included in the totals.
}
time-rows-full = At most { $count } rows can be added to a week. For other records, add time entries in the list.
time-rows-not-copied = { $count ->
    [one] 1 row was not copied, because at most { $max } can be added to a week.
   *[other] { $count } rows were not copied, because at most { $max } can be added to a week.
}
time-entries-of-week = Time entries of this week
time-add-row = Add a row
time-add-one = Choose one record.
time-submit = Submit week
time-submitted = { $count ->
    [one] Submitted 1 time entry.
   *[other] Submitted { $count } time entries.
}
time-submitted-none = Nothing to submit in this week.
time-submit-changed = Some entries of this week have just changed, so no entries were submitted. Check them and submit again.
time-approval = Approval
time-approval-none = No time entries here
time-approval-none-hint = Entries appear here when members submit their week.
time-approve = Approve
time-approved = { $count ->
    [one] Approved 1 time entry.
   *[other] Approved { $count } time entries.
}
time-reject = Reject
time-reject-reason = Reason for rejecting, e-mailed to the member (optional)
time-rejected = { $count ->
    [one] Rejected 1 time entry. Its member can change it again.
   *[other] Rejected { $count } time entries. Their members can change them again.
}
time-tick = Select time entries first.
time-changed-since = Some of these time entries have changed since you opened this page, so nothing was saved. Check them and try again.
time-invoice = Mark as invoiced
time-invoice-ask = { $count ->
    [one] Mark 1 time entry as invoiced? You cannot undo this.
   *[other] Mark { $count } time entries as invoiced? You cannot undo this.
}
time-invoiced = { $count ->
    [one] Marked 1 time entry as invoiced.
   *[other] Marked { $count } time entries as invoiced.
}
time-not-billable = not billable
time-billable = billable
time-report = Time report
time-report-period = Period
time-report-this-week = This week
time-report-last-week = Last week
time-report-this-month = This month
time-report-last-month = Last month
time-report-from = First day
time-report-to = Last day
time-report-group = Group by
time-report-then = Then by
time-report-nothing = Nothing else
time-report-status = Status
time-report-any = Any
time-report-show = Show
time-report-hours = Hours
time-report-billable = Billable hours
time-report-amount = Amount
time-report-without = None
time-report-list = Show entries
time-report-entries = Show entries of { $name }
time-report-none = No time in this period
time-report-none-hint = Choose another period or status.
time-report-days = Enter the first and the last day.
time-report-order = The last day must not be before the first.
time-report-long = Choose at most { $count } days.
time-report-omitted = { $count ->
    [one] 1 row with less time is not shown.
   *[other] { $count } rows with less time are not shown.
}
time-report-own-amounts = Amounts cover only your own time.
time-logged = Logged time
time-logged-show = Show logged time
time-logged-of = { $name } logged
time-label = { $name }, { $day }
value-exported = Invoiced
time-rates = Rates per hour
time-rates-hint = A rate applies to time that is recorded from now on. Time that is already recorded keeps its rate, or stays without one.
time-rates-none = No rates yet
time-rates-more = The other rates are in the API.
time-rate = Rate
time-rate-general = All other projects
time-rate-member = Choose a member.
time-rate-set = Set rate
time-rate-saved = Saved the rate. It applies to time that is recorded from now on.
time-rate-remove = Remove
time-rate-remove-of = Remove the rate of { $name }
time-rate-remove-in = Remove the rate of { $name } in { $project }
time-rate-removed = Removed the rate.
member-ticket-id = Ticket
member-billable = Billable
member-seconds = Duration
member-note = Note
member-note-line = Note (adds a line)
member-member-id = Member
member-member-email = Member, by e-mail address
member-member-by-name = Member, by name
member-project-by-name = Project, by name
member-client-by-name = Client of the project, by name
member-in-project-id = Counts towards project
member-for-company-id = For company
member-rate = Rate per hour
member-rate-currency = Currency of the rate
member-time-zone = Time zone of the workspace
member-time-locked-until = Locked until
member-time-overlaps-allowed = Entries of one member may overlap
help-time-zone = Time entries count on the day in this zone, such as Europe/Zurich.
help-time-locked-until = Nobody changes time entries up to this day. Only owners move it back.
help-time-overlaps-allowed = { "" }
help-record-date = The day on which the time counts. With a start and an end, it is the day of the start.
help-record-started-at = With an end, instead of a duration.
help-record-seconds = Such as 1:30, 1h30 or 90m, together with a date. Leave it empty if you fill in start and end.

# Knowledge base
canned_replies-title = Canned replies
canned_replies-count = { $count ->
    [one] 1 canned reply
   *[other] { $count } canned replies
}
canned_replies-new = New canned reply
canned_replies-no-match = No canned replies match these filters
canned_replies-none = No canned replies yet
help-canned-reply-shortcut = Such as late. Type /late at the end of an answer and press Insert reply. Without a shortcut, choose the reply from the list there.
help-canned-reply-body = Plain text: the customer sees it as you write it, without formatting. When the reply is inserted, these variables are filled in: {"{{customer.name}}"}, {"{{customer.email}}"}, {"{{ticket.number}}"}, {"{{ticket.title}}"}, {"{{agent.name}}"} (you) and {"{{workspace.name}}"}.
help-canned-reply-shared = Everybody in the workspace can use and edit it. You cannot take this back, only delete the reply.
canned_replies-none-hint = Write what you answer often once, and insert it into any answer.
articles-title = Knowledge base
articles-count = { $count ->
    [one] 1 article
   *[other] { $count } articles
}
articles-new = New article
articles-no-match = No articles match these filters
articles-none = No articles yet
articles-none-hint = Answer the question your customers ask most.
articles-publish = Publish
articles-unpublish = Back to draft
articles-read = Read in the help centre
articles-searched-in-vain = Searches without results
articles-searched-hint = What people searched for in the last 90 days without finding an article.
articles-searched-none = No searches without results
articles-searched-none-hint = Searches in the help centre, the widget and the API that find no article are counted here.
articles-term = Search
articles-searches = Searches
articles-last-searched = Last searched
articles-write = Write an article

# Help centre: these texts are public.
help-centre-title = Help for { $name }
help-centre-search = Search for an answer
help-centre-contact = Contact us
help-centre-contact-hint = Tell us what you need and how to reach you.
help-centre-send = Send
help-centre-all = All articles
help-centre-others = More articles
help-centre-none = No articles yet
help-centre-none-hint = Contact us and we will help you.
help-centre-results = Search results
help-centre-nothing = Nothing found for “{ $name }”
help-centre-nothing-hint = Try other words, or contact us.
help-centre-related = Related articles
help-centre-more = Did not find what you need?
help-centre-sent = Thank you
help-centre-sent-reference = We have your message. Its reference is
help-centre-sent-hint = We will answer by e-mail. To read your request again or to add to it, open it with this reference:
help-centre-sent-open = Open my request
help-centre-back = Back to the help centre
help-centre-field-name = Your name
help-centre-field-email = Your e-mail address
help-centre-field-subject = What is it about?
help-centre-field-description = Your message
help-centre-field-type = Kind of request

# Search and commands
search-label = Search records and commands
search-placeholder = Search, or go to a page
search-found = Found
search-recent = Recent
search-nothing = Nothing found
search-nothing-hint = Type the beginning of words, such as part of a name or title.
search-in-comment = In a comment:
search-keys = ↑ ↓ to choose · Enter to open · Esc to close
commands = Command
command-go-to = Go to { $name }
command-settings = Settings: { $name }
command-account = Your account
member-widget-enabled = Widget
member-widget-origins = Pages with the widget
member-help-centre-enabled = Help centre
member-help-centre-pictures = Show pictures from other sites in the help centre
help-help-centre-pictures = A picture in an article that is stored on another site is loaded from there by each reader’s browser. That site then learns the reader’s IP address, browser and the time, but not which article it is. Off: articles have links instead of these pictures.
member-kb-language = Article language
member-notify-requesters = E-mails to customers

# Import and export
import = Import
export = Export as CSV
export-shown = Export visible columns
import-title = Import { $kind }
transfer-companies = companies
transfer-contacts = contacts
transfer-deals = deals
transfer-projects = projects
transfer-tasks = tasks
transfer-tickets = tickets
transfer-articles = articles
transfer-time-entries = time entries
transfer-canned-replies = canned replies
import-needs-script = Importing here requires JavaScript, because your browser reads the file. Without it, the operator of the service can import a file with this command:
import-file = File
import-file-hint = Comma-separated values (CSV) with the column names in the first row, at most { $name } MB. An export, or the refused rows of an import, can be used unchanged.
import-preset = Exported from
import-no-preset = A spreadsheet, or something else
preset-hubspot = HubSpot
import-columns = Columns of the file
import-column = Column
import-samples = First rows
import-member = Import as
import-for = What “{ $name }” becomes
import-no-name = (no name)
import-leave-out = Leave out
import-custom-field = Custom field “{ $name }”
import-values = Values for all rows
import-values-hint = A field without a column gets this value in every row; a field with a column gets it where the cell is empty. This also applies to existing records that are changed: a list such as tags then has only these items.
import-own-time = No column says whose time this is. Without a column for the member, and without a member in “Values for all rows”, it is recorded as your own time.
import-given = Rows without a value for these get:
import-decimal = Decimal separator
import-no-decimal = Detect; refuse ambiguous numbers
import-decimal-point = Point: 1,234.5
import-decimal-comma = Comma: 1.234,5
import-match = If the record already exists
import-match-update = Update it: filled cells overwrite, empty cells change nothing
import-match-skip = Leave it unchanged
import-match-refuse = Refuse the row
import-again = Import this file again. Rows without a key are added a second time.
import-try = Try, without writing anything
import-do = Import
import-result = Result
import-progress = Progress
import-count-created = Created
import-count-updated = Changed
import-count-unchanged = Unchanged
import-count-skipped = Skipped
import-count-refused = Refused
import-count-companies = Companies created
import-ignored = The preset does not know these columns and ignores them:
import-notes = Notes:
import-refused = Refused rows
import-refused-hint = Fix the refused rows in a spreadsheet, leave the columns line and reason as they are, and choose that file here:
import-report = Download the refused rows
import-line = Line
import-reason = Reason
import-reading = Reading the file…
import-trying = Trying the import. Nothing is written…
import-importing = Importing. If you close the page, choose the same file and options to resume…
import-resuming = Resuming: { $name } rows were already imported.
import-tried = This is what the import would do. Nothing was written.
import-imported = The import is done.
import-failed = The import failed.
import-waiting = The service is busy or cannot be reached. Trying again in { $name } seconds…
import-too-large = The file is larger than { $name } MB. The operator of the service can import it with
import-not-utf8 = The file is neither UTF-8 nor UTF-16. Save it as “CSV UTF-8” and choose it again.
import-long-header = The first row is too long. It must contain the column names; look for a missing quotation mark.
import-long-row = The row at line { $name } is too long to import here: look for a missing quotation mark. If the row is meant to be that long, the operator of the service can import the file with
import-unclosed = Line { $name }: a quotation mark opens a cell, but the closing mark is missing. Add it, or, if the opening mark is part of the text, write it twice and put the cell in quotation marks.
import-behind-quote = Line { $name }: text follows the closing quotation mark of a cell that begins in line { "{opened}" }. Write a quotation mark that is part of the text twice, or add the missing one.
import-before-quote = Line { $name }: a cell has spaces before its opening quotation mark. Remove the spaces, or, if the mark is part of the text, write it twice and put the cell in quotation marks.
import-no-rows = The file has no rows after the column names.
import-insecure = Browsers can import only over https. Open the console over https, or ask the operator of the service to use
import-closed = You are signed out. Sign in in another tab and choose the same file again: the import resumes where it stopped.
import-unreachable = The service cannot be reached. Choose the same file later: the import resumes where it stopped.
import-before = This file was already imported in the same way.
import-gap = The import is not where this page expected it to be. Choose the file again to continue.
import-not-whole = The file cannot be split between its rows: look for a missing or stray quotation mark.
import-repeated = Two columns map to the same member: leave out “{ $column }” or the other one.
import-unknown = “{ $column }” cannot be imported as that.
import-no-columns = No column is imported: choose what each column becomes.
