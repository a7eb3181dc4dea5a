"""Uses the client that OpenAPI Generator generates for Python, as the package `openapi_client`."""

import os
from uuid import UUID

from openapi_client import ApiClient, ApiException, Configuration, DealInput, DealsApi, DealUpdate

URL, KEY, TITLE = (os.environ[name] for name in ("SERVICE_URL", "SERVICE_KEY", "DEAL_TITLE"))
deals = DealsApi(ApiClient(Configuration(host=URL, access_token=KEY)))

created = deals.deals_create(DealInput(title=TITLE, value=1500.5, custom_fields={"source_row": 7}))
deal = created.data
assert deal.value == 1500.5 and deal.custom_fields["source_row"] == 7, deal

version, deal_id = f'"{deal.version}"', UUID(str(deal.id))
changed = deals.deals_update(deal_id, DealUpdate(stage="proposal", contact_id=None), if_match=version)
assert changed.data.stage == "proposal", changed
try:
    deals.deals_update(deal_id, DealUpdate(stage="qualified"), if_match=version)
except ApiException as error:
    assert error.status == 409, error
else:
    raise AssertionError("another version")

listed = deals.deals_list(stage=["proposal"], search=TITLE)
assert any(one.id == deal.id for one in listed.data), listed
