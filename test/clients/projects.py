"""What python.test.ts has the Phoenix client of Python do with projects; prints what came of it as JSON."""

import json
import sys

import httpx
from phoenix.client import Client

projects = Client(base_url=sys.argv[1]).projects


def status_of(call):
    """The status that a refused call meets."""
    try:
        call()
    except httpx.HTTPStatusError as error:
        return error.response.status_code


made = projects.create(name="by Python 50%", description="one")
result = {
    "made": [made["name"], made["description"]],
    "found": projects.get(project_name="by Python 50%") == projects.get(project_id=made["id"]) == made,
    "changed": projects.update(project_name="by Python 50%", description="two")["description"],
    "listed": [project["name"] for project in projects.list()],
    "again": status_of(lambda: projects.create(name="by Python 50%")),
    "default": status_of(lambda: projects.delete(project_name="default")),
}
projects.delete(project_id=made["id"])
result["gone"] = status_of(lambda: projects.get(project_name="by Python 50%"))
print(json.dumps(result))
