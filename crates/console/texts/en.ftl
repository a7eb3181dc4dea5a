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
created = Created
changed = Changed
by = by
columns = Columns
select-all = Select all
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

# The name is filled in by scripts.
live-changed = Changed by {"{"}name{"}"}

# Settings
settings-label = Settings
settings-workspace = Workspace
settings-saved = The settings are saved.
created = Created
workspace-slug = Short name
workspace-plan = Plan
