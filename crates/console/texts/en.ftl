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

error-forbidden = You may not do this
error-not-found = There is nothing here
error-too-many = Too many requests
error-ours = Something went wrong
error-other = This did not work
error-request = Request
error-home = To the start

companies-title = Companies
companies-new = New company
companies-none = No companies yet
companies-none-hint = Add the first company you work with.
companies-no-match = No company matches
companies-no-match-hint = Remove a filter, or search for something else.
companies-created = Created “{ $name }”.
companies-saved = Saved “{ $name }”.

# The name is filled in by scripts.
live-changed = Changed by {"{"}name{"}"}
