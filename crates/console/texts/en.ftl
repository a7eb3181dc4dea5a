# The texts of the console. Words of the API keep their names: member-…, value-….
skip-to-content = Skip to content
search = Search
filters = Filters
apply = Apply
remove-filter = Remove filter
pages = Pages
first-page = First page
next-page = Next page
restore = Restore
save = Save
cancel = Cancel
connection-lost = The connection is lost. What you typed is kept; try again in a moment.
form-check-fields = Check the fields that are marked.

sign-in = Sign in
sign-out = Sign out
forgotten-password = Forgotten your password?

nav-label = Main
nav-menu = Menu
nav-home = Home
nav-contacts = Contacts
nav-companies = Companies
nav-deals = Deals
nav-projects = Projects
nav-tasks = Tasks
nav-tickets = Tickets
nav-articles = Knowledge base
nav-settings = Settings
nav-operator = Operations

error-forbidden = You may not do this
error-not-found = There is nothing here
error-too-many = Too many requests
error-ours = Something went wrong
error-other = This did not work
error-request = Request
error-home = To the start

# Records
contacts-title = Contacts
contacts-new = New contact
contacts-none = No contacts yet
contacts-none-hint = Add the first person you work with.
companies-title = Companies
companies-new = New company
companies-none = No companies yet
companies-none-hint = Add the first company you work with.
deals-title = Deals
deals-new = New deal
deals-none = No deals yet
deals-none-hint = Add the first deal to see it here and on the board.
list-no-match = Nothing matches
list-no-match-hint = Remove a filter, or search for something else.
record-created = Created “{ $name }”.
record-saved = Saved “{ $name }”.
record-deleted = Deleted “{ $name }”.
record-restored = Restored “{ $name }”.
record-changed-before = It has changed since you opened it: look at it, and delete it again.
record-gone = deleted or hidden
somebody = somebody
nothing = nothing
yes = yes
no = no
edit = Edit
edit-field = Edit { $name }
delete = Delete
delete-for-good = Delete for good
deleted = Deleted
history = History
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
with-selected = With the selected
show-all = Show all
add-to = Add to { $name }
related-none = None yet
related-more = And more
back-to-record = Back to the record
record = Record
outcome = Outcome
outcome-done = Done
tag = Tag
bulk-title = Outcome
bulk-none = Select records first.
bulk-set = Set
bulk-tag = Add tag
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
pick-hint = Type a name
pick-nothing = Nothing found
pick-none = “{ $typed }” is not found: type the beginning of its name, or its id
pick-several = Several match: type more of the name
pick-several-names = Several match: { $names }. Type more of the name
comments = Comments
comments-none = No comments yet.
comments-later = Later comments
comment = Comment
comment-new = New comment
comment-add = Add comment
draft-save = Save draft
draft-saved = Draft saved.
draft-kept = Your draft.
draft-failed = The draft is not saved yet: no connection.
comment-saved = Saved the comment.
comment-deleted = Deleted the comment.
edited = edited
change = Change
markdown-hint = Markdown: **bold**, *italic*, lists, links.
preview = Preview
preview-back = Go back in your browser to go on writing.
conflict-title = Somebody else changed this too
conflict-hint = Choose what to keep of each field. What only they changed is kept, and what only you changed is saved.
conflict-theirs = Theirs
conflict-mine = Mine, which you can change here
conflict-kept = Saved with it:
conflict-drop = Drop my changes
conflict-choose = Choose one of the two
conflict-busy = Others keep changing this record: try again in a moment
view = View
views = Views
view-all = All
view-name = Name
view-share = Share with everybody
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
actor-api-key = A key
actor-user = somebody
member-created-by = Created by
member-created-at = Created
member-updated-at = Changed
member-commission-pct = Commission
member-rep-id = Sales representative
member-social-linkedin = LinkedIn
member-external-id = Id in another system

board-title = Deal board
board-list = List
board-more-short = More
board-more = More in { $name }
board-empty = No deals here
board-on-hold = { $count } on hold
board-move = Move
board-move-deal = Move { $name }
board-to = To stage
board-moved = Moved to { $name }.
board-moved-by-others = Somebody else moved this deal: it is where they put it
board-count = { $count ->
    [one] 1 deal
   *[other] { $count } deals
}
board-hint = Drag a card to another column, or use the menu on it.
board-closes = closes { $name }
close-won = Close as won
close-lost = Close as lost
close-changed = Somebody else changed this deal meanwhile: open it to see what is new.
close-save = Close deal
closed-won = Won “{ $name }”.
closed-lost = Lost “{ $name }”.

# The name is filled in by scripts.
live-changed = Changed by {"{"}name{"}"}

# Settings
settings-label = Settings
settings-workspace = Workspace
settings-saved = The settings are saved.
created = Created
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
keys-lead = Keys connect AI clients, scripts and other programs with this workspace. Each may do what you choose, and nothing else.
keys-none = No keys yet
keys-none-hint = Make one to connect an AI client or a program of your own.
keys-access = May do
keys-last-used = Last used
keys-expires = Expires
keys-revoked-at = Revoked
keys-scopes-count = { $count ->
    [one] { $count } scope
   *[other] { $count } scopes
}
keys-about = About this key
keys-may = What may it do?
keys-scopes = Scopes
keys-scopes-hint = Write includes read.
keys-area = Area
keys-write = Write
keys-record = Records
keys-permissions = Narrow what tools may do
keys-permissions-hint = With nothing ticked, tools may do what the scopes allow. Tick permissions, and tools may do these alone. Requests to the REST API go by scopes alone. Permissions on webhooks are given only here.
keys-permissions-only = Tools may do only this
keys-trial = Limits of the trial
keys-trial-calls = Calls
keys-trial-calls-hint = 1 to 1,000 in all; 200 if you leave it empty.
keys-trial-tools = Tools
keys-trial-tools-hint = With nothing ticked, it may call every tool that only reads.
keys-trial-left = Calls left
keys-secret = Copy the key now
keys-secret-hint = It is shown only this once. Keep it like a password: whoever has it may do what you chose.
keys-connect = Connect
keys-placeholder = Put the key in place of <API_KEY>: it was shown once, when it was made.
keys-curl = Try it
keys-change = Change
keys-saved = Saved “{ $name }”.
keys-revoked = Revoked “{ $name }”.
keys-revoke = Revoke
keys-revoke-hint = Programs that use the key are refused at once. This cannot be undone.
keys-revoke-open = Revoke this key…
keys-revoke-now = Revoke for good
preset-read-only = Reads everything, changes nothing. The safest start for an AI client.
preset-crm = Reads and writes contacts, companies and deals.
preset-projects = Reads and writes projects, tasks, planning, goals and time.
preset-support = Reads and writes tickets and tasks, and reads contacts.
preset-full-access = Reads and writes everything that a member may.
preset-agent-trial = A few tools, a few calls, at most 14 days: to try an AI client out.
preset-custom = Choose each scope yourself.
value-custom = Scopes of your own
value-crm = CRM
value-api-key = Key
value-system = The service
verb-read = Read
area-crm = Companies
area-fsm = Field service
area-kb-articles = Knowledge base
feature-crm = CRM
member-allowed-networks = Allowed networks
client-claude-code = Run this in a terminal.
client-claude-desktop = Settings → Developer → Edit Config opens claude_desktop_config.json. The adapter service-mcp must be installed on that computer.
client-cursor = Put this into ~/.cursor/mcp.json, or into .cursor/mcp.json of a project.
client-vs-code = Put this into .vscode/mcp.json, or run “MCP: Open User Configuration”. VS Code asks for the key and keeps it itself.
client-openai = For your own programs: the tool in a request to the Responses API. Connectors of ChatGPT itself sign in by OAuth and take no key.
client-http = For every client that speaks the Model Context Protocol over HTTP. Some call the type “streamable-http”.
client-stdio = For every client that starts a local process. The adapter service-mcp must be installed on that computer.
actions = Actions

# Members
settings-members = Members
members-invite = Invite somebody
members-send = Send invitation
members-invited = The invitation to { $email } is on its way. Its link works for seven days.
members-role = Role
members-role-of = Role of { $name }
members-role-changed = { $name } now has the role “{ $role }”, and signs in again.
members-since = Joined
members-you = You
members-again = Invite again
members-withdraw = Withdraw
members-withdraw-of = Withdraw the invitation of { $name }
members-withdraw-hint = The link in the e-mail stops working.
members-remove = Remove
members-remove-of = Remove { $name }
members-remove-hint = They are signed out at once. Their records stay, and you can invite them again.
members-revoke-keys = Revoke the API keys that they made, for good
members-removed = Removed.
members-removed-kept = { $count ->
    [one] Removed. The API key that they made goes on working.
   *[other] Removed. The { $count } API keys that they made go on working.
}
members-removed-revoked = { $count ->
    [one] Removed, and the API key that they made is revoked.
   *[other] Removed, and the { $count } API keys that they made are revoked.
}
member-status-deactivated = Removed

# Usage
settings-usage = Usage
usage-quota = Records this month
usage-quota-hint = Contacts, companies and deals that were created since the first of the month. What exists stays when the quota is used up.
usage-records = Records created
usage-resets = Starts again on
usage-unlimited = no limit
usage-requests = Requests
usage-today = Today
usage-month = This month
usage-limits = Limits per minute
usage-limits-hint = Each key and each session has these limits for itself. Shown is what your own session has used in this minute.
usage-webhooks = Webhooks
usage-waiting = Deliveries that wait
usage-behind = Events behind them
usage-oldest = Oldest of these
class-read = Reads
class-write = Writes
class-bulk = Bulk operations
class-critical = Sensitive changes

# Audit log
settings-audit-log = Audit log
audit-export = Download CSV
audit-export-hint = The newest 4,000 entries that match. Choose a time for older ones.
audit-time = Time
audit-action = Action
audit-actor = Who
audit-anybody = Anybody
audit-details = Details
audit-address = Address
audit-no-match = No entry matches
audit-no-match-hint = Remove a filter, or choose another time.
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
value-operator-added = Made an operator
value-operator-removed = No longer an operator

# Account
account-title = Your account
account-profile = Profile
account-security = Security
account-saved = Your account is saved.
account-email = E-mail
account-role = Role here
account-since = Since
account-appearance = Appearance
account-appearance-hint = Kept in this browser.
account-appearance-saved = This browser keeps what you chose.
account-theme = Colours
account-zone = Time zone
account-zone-own = That of this browser
theme-system = As the system
theme-light = Light
theme-dark = Dark
account-password = Password
account-password-hint = You are signed out everywhere, here too, and sign in again with the new password.
account-password-change = Change password
account-password-changed = Your password is changed. Sign in with the new one.
account-session-ended = The session has ended.
second-factor-title = Second factor
second-factor-needed = This workspace wants its owners and admins to have a second factor. Set one up to go on.
second-factor-on = On
second-factor-since = since
second-factor-hint = With a code of an authenticator app beside the password, a stolen password alone opens nothing.
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
recovery-hint = The second factor is on. Each of these codes signs you in once if you lose the app. They are shown only now: keep them where you find them without the app.
recovery-done = I have kept them
sessions-title = Sessions
sessions-device = Device
sessions-workspace = Workspace
sessions-address = Address
sessions-last-used = Last used
sessions-began = Began
sessions-this = This one
sessions-end = End
member-notify-assigned = E-mails about what others assign to you
member-notify-replies = E-mails about customers' replies to your tickets

# Webhooks
settings-webhooks = Webhooks
state = State
changed = Changed
edit = Edit
event = Event
look-again = Look again
secret-once = This is the only time that it is shown. Store it where your program reads it.
secret-example = Try it
secret-stored = I have stored it
webhook = Webhook
webhook-new = New webhook
webhook-create = Create webhook
webhook-edit = Change webhook
webhook-saved = The webhook is saved.
webhook-is-enabled = The webhook is enabled.
webhook-is-disabled = The webhook is disabled. Deliveries that are queued wait until it is enabled again.
webhook-deleted = The webhook is deleted.
webhook-delete = Delete webhook
webhook-delete-hint = Nothing is sent to { $url } any more, and what is queued is cancelled. This cannot be undone.
webhook-enable = Enable
webhook-disable = Disable
webhook-url = URL
webhook-module = Module
webhook-module-hint = A webhook sends the events of one module. Which one?
webhook-description = Description
webhook-events = Events
webhook-event-count = { $count ->
    [one] { $count } event
   *[other] { $count } events
  }
webhook-all-events = All events
webhook-all-events-hint = Those that are added later, too.
webhook-free-events = Names such as booking.confirmed, separated by commas, or * for all. Your other systems report these events.
webhook-example = Example
webhook-scope-hint = The id of the only one whose events are sent; empty for all.
webhook-headers = Headers
webhook-header-name = Name
webhook-header-value = Value
webhook-header-stored = Stored; leave empty to keep it
webhook-header-hidden = (stored, not shown)
webhook-headers-hint = Sent with every request, such as Authorization for a gateway. At most 10; more rows appear once these are saved. Remove a name to remove its header.
webhook-active = Active
webhook-failing = Failing
webhook-since = since
webhook-disabled = Disabled
webhook-disabled-gone = Disabled: gone
webhook-disabled-failing = Disabled: failing
webhook-disabled-gone-hint = The receiver answered 410, so nothing is sent any more. Enable the webhook once the receiver is back.
webhook-disabled-failing-hint = It failed for 5 days without a success, so nothing is sent any more. Mend the receiver, then enable the webhook.
webhook-failing-since = Every delivery has failed since
webhook-failing-hint = After 5 days without a success the webhook is disabled.
webhook-maker-gone = Maker gone
webhook-maker-gone-hint = Whoever made this webhook can no longer read what it sends. It goes on; save it once to become its maker.
webhook-test = Send test
webhook-test-sent = The test is on its way.
webhook-secret = Signing secret
webhook-secret-hidden = Shown once, when it is made
webhook-overlap = The previous secret signs too, until
webhook-secret-new = Every request is signed with this secret. Your receiver verifies X-Service-Signature, or the Standard Webhooks headers, with it.
webhook-secret-rotated = This is the new secret. Until the overlap ends, the previous one signs X-Service-Signature and this one X-Service-Signature-Next.
webhook-secret-moved = The webhook now goes to another host, so it has got a new secret. The previous one does not sign any more.
webhook-secret-rotate = New secret
webhook-secret-rotate-hint = The previous secret goes on signing for a while, so that you can change your receiver without losing a delivery.
overlap-day = A day
overlap-hour = An hour
overlap-week = A week
overlap-none = Not at all: switch at once
webhooks-none = No webhooks yet
webhooks-none-hint = A webhook tells your own program what happens here, within milliseconds and signed.
deliveries = Deliveries
deliveries-none = Nothing was sent yet
deliveries-none-hint = Send a test, or wait for an event.
deliveries-no-match = No delivery matches
delivery-id = Delivery id
delivery-attempts = Attempts
delivery-attempt = Attempt
delivery-next-or-end = Next or finished
delivery-next = Next
delivery-next-attempt = Next attempt
delivery-finished = Finished
delivery-manual = Sent again
delivery-no-answer = No answer
delivery-no-attempt = It was never sent.
delivery-answer = Answer
delivery-answer-empty = The body of the answer was empty.
delivery-request-headers = Request headers
delivery-signature-hint = Signatures are made anew for this page, with the secrets that sign now. Requests also have a User-Agent and the headers of the connection.
delivery-body = Request body
delivery-body-gone = The content of this delivery is no longer kept.
delivery-exact-body = Exact bytes, as they are signed
delivery-redeliver = Send again
delivery-again = It is sent again, with the same id.
delivery-reason = Reason
delivery-expired = It waited until no attempt could start any more.
delivery-content-lost = What it would have sent is no longer stored.
replay = Replay
replays = Replays
replay-title = Send past events again
replay-hint = Sends events of the log again as new deliveries: those that the webhook missed, or those that failed. Count them first.
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
replay-started = The replay has begun.
replay-cancelled = The replay is cancelled. What was queued before is still sent.
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
module-hint-subscriptions = Subscriptions of customers, reported by another system
module-hint-marketing = Marketing, reported by another system
member-url = URL
health-title = Success and latency
health-window = Time shown
health-day = 24 hours
health-week = 7 days
health-rate = Succeeded
health-slowest = Slowest 95th percentile
health-deliveries = Deliveries
health-latency = Duration of the last attempts
health-most = most:
health-waiting = Under way
health-median = Median
health-95 = 95th percentile
health-sample = Where a period has more than 200 deliveries, its newest 200 count.
health-table = As a table
health-from = From
value-succeeded = Succeeded
value-failed = Failed
value-running = Running

# Support settings
settings-support = Support
support-customers = For customers
support-help-centre = Your help centre:
support-snippet = Form for your pages
support-snippet-hint = Paste this into a page whose origin is listed above. It needs no key, and its tickets arrive in your inbox.
support-snippet-off = Enable the widget and list the origins of your pages above; then the form to paste into them is shown here.
support-keys = Ticket keys
support-keys-none = No ticket key is in use. A key lets a backend of yours open and read tickets.
support-all-keys = All keys, also those that are revoked
support-new-key = New ticket key
support-key-writes = Open and read tickets, and search articles
support-key-reads = Only read tickets and search articles
ticket-key = Ticket key
ticket-key-hint = For a trusted backend of yours. It must never get into a page or an app that customers run; those use the form above.

# Erasing people's data
settings-erasures = Erasures
erasure-title = Erasure
erasure-lead = When somebody asks you to erase their data, look them up by their e-mail address or the id of their contact.
erasure-look = Look up
erasure-earlier = Earlier erasures
erasure-found = What is known of this person
erasure-contact = Contact
erasure-deleted = Deleted
erasure-what = Erased are their contact, what they wrote and what names them in tickets and comments, e-mails to them, and every copy of that in the event log, in deliveries and in the audit log. Tickets themselves stay, without the person.
erasure-final = Nothing brings this data back.
erasure-confirm = Type “{ $name }” to confirm
erasure-unconfirmed = must be exactly what is shown above
erasure-erase = Erase for good
erasure-nothing = Nothing is known of this person, or all of it was erased before.
erasure-begun = The contact is erased. The rest follows by itself.
erasure-done = Done
erasure-outcome = What was erased
erasure-number = Number
erasure-kept = This page keeps no name and no address. The audit log says who asked for the erasure, and when.
erased-contacts = Contacts
erased-tickets = Tickets
erased-comments = Comments
erased-events = Events
erased-deliveries = Webhook deliveries
erased-emails = E-mails
erased-answers = Stored responses
erased-audit-entries = Entries of the audit log
account-signed-out = You are signed out everywhere.
sessions-end-all = Sign out everywhere
changed = Changed
workspace-delete = Delete this workspace
workspace-delete-hint = Nobody gets in any more, and keys and webhooks stop at once. After 30 days everything is erased for good; until then only an operator of this service can bring it back.
workspace-delete-open = Delete the workspace…
workspace-delete-now = Delete the workspace
workspace-deleted = The workspace is deleted.

# Operators
operator-title = Workspaces
operator-new = New workspace
operator-create = Create workspace
operator-no-match = No workspace matches
operator-no-match-hint = Remove a filter, or search for something else.
operator-created = Created “{ $name }”.
operator-created-invited = Created. The invitation of its owner to { $email } is on its way.
operator-saved = Saved “{ $name }”: { $status }.
operator-about = About this workspace
operator-change = Plan, status and limits
operator-limits-hint = An empty limit is that of the plan.
operator-erased = Erased after
operator-delete-hint = Nobody gets in any more, and keys and webhooks stop at once. It can be brought back for 30 days; then everything is erased for good.
operator-deleted = The workspace is deleted. It can be brought back for 30 days.
operator-restore = Bring it back
operator-restore-hint = This workspace is deleted. Until it is erased, it can be brought back with everything in it.
operator-restored = “{ $name }” is back.

# Help beside fields, where the words of the API speak of somebody else, or say only what the label says.
help-current-password = { "" }
help-new-password = 12 to 200 characters.
help-notify-assigned = In all workspaces that you are in.
help-notify-replies = In all workspaces that you are in.
help-require-second-factor = Owners and admins get in only with one.
help-allowed-networks = Such as 203.0.113.0/24, with commas between several. Empty: from anywhere.
help-code = The six digits that the app shows.
member-code = Code
member-require-second-factor = Demand a second factor
member-owner-email = E-mail of the first owner

# History of the workspace
settings-events = History
events-none = Nothing has happened yet
events-none-hint = Every change of a record appears here, with who made it.
events-no-match = Nothing that matches
events-no-match-hint = Remove a filter, or look further back.
events-looked-through = So far nothing matches; older events are on the next page.
events-record = Record
member-actor = Who
value-user = People
value-trial = Trials
value-customer = Customers
member-crm-quota-per-month = Records per month
member-emails-per-hour = E-mails per hour
operator-plan-limit = The plan has { $limit }.
operator-plan-unlimited = The plan has no limit.
keys-expiry = Expires
keys-expiry-hint = A trial ends after 7 days unless you choose otherwise, and after 14 at the latest.
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
log-comment-added = commented on
log-comment-updated = changed a comment on
log-comment-deleted = deleted a comment on

# Signing in, set-up, invitations and passwords
signed-out-everywhere = You are signed out on all devices.
sign-in-choose = Choose a workspace
sign-in-choose-hint = You are a member of several.
sign-in-other = Sign in as somebody else
sign-in-code = Enter your code
sign-in-code-hint = Open your authenticator app, or use a recovery code.
sign-in-again = That took too long, or was used already. Sign in again.
forgotten-title = Forgotten your password?
forgotten-hint = Enter your e-mail address. We send you a link to set a new one.
forgotten-send = Send me a link
forgotten-sent = If there is an account with this address, a link is on its way. It works for an hour.
password-rules = 12 to 200 characters. A few words in a row are good.
reset-title = Set a new password
reset-set = Set it
reset-done = Your new password is set. Sign in with it.
invitation-title = Accept your invitation
invitation-accept = Accept
invitation-done = Welcome. You are in.
invitation-password = 12 to 200 characters. If you have an account with this address already, its password.
your-name = Your name
link-without-token = This address has no token. Open the link in the e-mail again, or paste what stands behind “token=” in it.
link-title = Sign in
link-as = Sign in as { $name }.
link-invalid = This link is not valid, or it has expired.
link-new = For a new one, start the service again, or run this on its machine, with your own workspace and address:
link-password = Sign in with a password
set-up-title = Set up your workspace
set-up-hint = This service has no workspace yet. Make the first one; you become its owner and operate the service.
set-up-code = Set-up code
set-up-make = Make the workspace
member-workspace-name = Name of the workspace
member-slug = Short name
slug-rules = Lowercase letters, digits and hyphens. It is in addresses and commands.
set-up-code-hint = The service printed it when it started, or wrote it to a file.

# Workspaces
workspaces-title = Your workspaces
workspaces-switch = Switch workspace
workspaces-current = you are here
workspaces-only-one = This is your only workspace.
workspaces-new = New workspace
workspaces-new-hint = You become its owner. The one you are in stays as it is.
workspaces-make = Make it and go there
workspaces-made = Made “{ $name }”. This is your own workspace.

# The customers' page of a ticket
portal-title = Your ticket
portal-needs-scripts = This page needs scripts: it opens your ticket with what stands in the link's address.
portal-open-hint = The link works once. Your session lasts one hour.
portal-open = Open my ticket
portal-ask-hint = To see your ticket, request a link by e-mail.
portal-email = Your e-mail address
portal-reference = The ticket's reference
portal-ask = Mail me a link
portal-reply = Your reply
portal-send = Send

# Home
steps-title = Next steps
steps-hide = Hide
step-done = done
step-workspace = Make your own workspace
step-workspace-hint = The demo stays to look around in.
step-colleague = Invite a colleague
step-colleague-hint = They get an e-mail with a link.
step-key = Make an API key
step-key-hint = For your programs and AI clients.
step-ai = Connect an AI client
step-ai-hint = Each key shows the configuration to copy.
step-webhook = Register a webhook
step-webhook-hint = Your program hears what happens here.
home-all = All
home-overdue = Overdue:
home-tasks = My open tasks
home-tasks-none = Nothing is assigned to you. Tasks that are appear here, those due first on top.
home-tickets = Tickets waiting for us
home-tickets-none = No ticket waits for an answer.
home-deals = Deals closing soon
home-deals-none = No open deal is expected to close within two weeks.
home-pipeline = Pipeline
home-pipeline-none = There are no open deals. Add one to see your pipeline.
home-changes = What changed
home-changes-none = Nothing has changed yet. What people, programs and AI agents do appears here.
actor-agent = AI agent
sign-out-everywhere = Sign out everywhere
kind-contact = contact
kind-company = company
kind-deal = deal
kind-project = project
kind-cycle = cycle
kind-task = task
kind-ticket = ticket
kind-article = article
