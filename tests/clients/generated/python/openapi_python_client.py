"""Uses the client that openapi-python-client generates, as the package `openapi_python`."""

import os

from openapi_python.api.deals import deals_create, deals_list, deals_update
from openapi_python.client import AuthenticatedClient
from openapi_python.models.deal_input import DealInput
from openapi_python.models.deal_input_custom_fields_type_0 import DealInputCustomFieldsType0
from openapi_python.models.deal_update import DealUpdate
from openapi_python.models.deals_create_response_201 import DealsCreateResponse201
from openapi_python.models.deals_list_response_200 import DealsListResponse200
from openapi_python.models.deals_list_stage_item import DealsListStageItem
from openapi_python.models.deals_update_response_200 import DealsUpdateResponse200

URL, KEY, TITLE = (os.environ[name] for name in ("SERVICE_URL", "SERVICE_KEY", "DEAL_TITLE"))
client = AuthenticatedClient(base_url=URL, token=KEY)

fields = DealInputCustomFieldsType0.from_dict({"source_row": 7})
created = deals_create.sync(client=client, body=DealInput(title=TITLE, value=1500.5, custom_fields=fields))
assert isinstance(created, DealsCreateResponse201), created
deal = created.data
assert deal.value == 1500.5 and deal.custom_fields["source_row"] == 7, deal

version = f'"{deal.version}"'
proposal = DealUpdate.from_dict({"stage": "proposal", "contact_id": None})
changed = deals_update.sync(deal.id, client=client, body=proposal, if_match=version)
assert isinstance(changed, DealsUpdateResponse200) and changed.data.stage == "proposal", changed
stale = deals_update.sync_detailed(deal.id, client=client, body=proposal, if_match=version)
assert stale.status_code == 409, stale

listed = deals_list.sync(client=client, stage=[DealsListStageItem.PROPOSAL], search=TITLE)
assert isinstance(listed, DealsListResponse200) and any(one.id == deal.id for one in listed.data), listed
