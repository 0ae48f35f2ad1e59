"""What python.test.ts has the Phoenix client of Python do; prints what came of it as JSON."""

import io
import json
import os
import sys
from datetime import datetime, timedelta, timezone

import httpx
import pandas
import pyarrow
from phoenix.client import Client
from phoenix.client.exceptions import SpanCreationError
from phoenix.client.helpers.spans import get_input_output_context, get_retrieved_documents
from phoenix.client.types.spans import SpanQuery

url = sys.argv[1]
client = Client(base_url=url)
project = "by Python"
start = datetime(2026, 1, 2, 3, 4, 5, 123456, tzinfo=timezone.utc)


def span(number, kind, parent, **attributes):
    return {
        "name": f"step {number}",
        "context": {"trace_id": "trace 1", "span_id": f"span {number}"},
        "span_kind": kind,
        "parent_id": parent,
        "start_time": (start + timedelta(seconds=number)).isoformat(),
        "end_time": (start + timedelta(seconds=number + 1.5)).isoformat(),
        "status_code": "OK",
        "attributes": {"session.id": "chat", **attributes},
    }


documents = [
    {"document": {"content": "first", "score": 0.5, "metadata": {"page": 1}}},
    {"document": {"content": "second", "score": 1}},
]
spans = [
    span(0, "CHAIN", None, **{"input.value": "question", "output.value": "answer", "flag": True, "metadata": {"n": 1}}),
    span(1, "RETRIEVER", "span 0", **{"input.value": "query", "retrieval.documents": documents}),
    span(2, "LLM", "span 0", llm={"model_name": "gpt", "token_count": {"prompt": 7, "completion": 2}}, custom={"a.b": 1.5}),
]
result = {"logged": client.spans.log_spans(project_identifier=project, spans=spans)}


def refused(sent):
    try:
        client.spans.log_spans(project_identifier=project, spans=sent)
    except SpanCreationError as error:
        return [error.total_duplicates, error.total_invalid]


result["refused"] = [refused(spans), refused([{**spans[0], "start_time": "2026-01-02T03:04:05"}])]


def ids(**criteria):
    return [item["context"]["span_id"] for item in client.spans.get_spans(project_identifier=project, **criteria)]


result["ids"] = [ids(), ids(parent_id="null"), ids(span_kind=["LLM", "CHAIN"]), ids(attributes={"flag": True})]


def frame(query=None, **criteria):
    return client.spans.get_spans_dataframe(query=query, project_identifier=project, **criteria)


def describe(table):
    """Columns with the kind of their type, the index, and the rows."""
    kinds = {name: "text" if kind in ("object", "str") else str(kind) for name, kind in table.dtypes.items()}
    rows = json.loads(table.reset_index(drop=True).to_json(orient="values", date_format="iso", date_unit="us"))
    index = [list(key) if isinstance(key, tuple) else key for key in table.index]
    return {"columns": kinds, "levels": list(table.index.names), "index": index, "rows": rows}


whole = frame()
result["whole"] = describe(whole)
result["selected"] = describe(
    frame(
        SpanQuery()
        .select("name", "latency_ms", "llm.token_count.prompt", "start_time")
        .where("span_kind in ['LLM', 'CHAIN']")
        .rename(name="step")
    )
)
exploded = SpanQuery().explode("retrieval.documents", text="document.content", score="document.score")
result["exploded"] = describe(frame(exploded))
result["joined"] = describe(frame(SpanQuery().concat("retrieval.documents", text="document.content").with_index("trace_id")))
result["counts"] = [
    len(frame(limit=2)),
    len(frame(root_spans_only=True)),
    len(frame(start_time=start + timedelta(seconds=1), end_time=start + timedelta(seconds=2))),
    len(client.spans.get_spans_dataframe(project_identifier="nobody")),
]
try:
    frame(SpanQuery().where("span_kind == "))
except httpx.HTTPStatusError as error:
    result["status"] = error.response.status_code
result["documents"] = get_retrieved_documents(client, project_identifier=project)["document"].tolist()
result["context"] = get_input_output_context(client, project_identifier=project)["context"].tolist()

key = os.environ.get("PHOENIX_API_KEY")
headers = {"authorization": f"Bearer {key}"} if key else {}
answer = httpx.post(f"{url}/v1/spans", headers=headers, params={"project_name": project}, json={"queries": [{}, {"explode": {"key": "retrieval.documents"}}]})
streams = io.BytesIO(answer.content)
arrow = [pyarrow.ipc.open_stream(streams).read_pandas() for _ in range(2)]
result["arrow"] = describe(arrow[0][[name for name in whole.columns if name not in ("events", "attributes.retrieval.documents")]])
result["arrow exploded"] = describe(arrow[1])

session = client.sessions.list(project_name=project)[0]
result["session"] = [session["session_id"], client.sessions.get(session_id="chat")["id"] == session["id"]]
turns = client.sessions.get_session_turns(session_id="chat")
result["turns"] = [[turn["input"]["value"], turn["output"]["value"]] for turn in turns]
traces = client.traces.get_traces(project_identifier=project, error=False, min_latency_ms=3000, max_latency_ms=4000)
result["traces"] = [trace["trace_id"] for trace in traces]

judged = {"span_id": "span 2", "name": "quality", "annotator_kind": "LLM", "result": {"score": 0}}
client.spans.add_span_annotation(span_id="span 2", annotation_name="single", annotator_kind="HUMAN", label="good", sync=True)
stored = client.spans.log_span_annotations(span_annotations=[judged, {**judged, "span_id": "span 0"}], sync=True)
table = pandas.DataFrame({"span_id": ["span 1"], "name": ["framed"], "annotator_kind": ["CODE"], "score": [0.5]})
client.spans.log_span_annotations_dataframe(dataframe=table, sync=True)
client.spans.log_document_annotations(
    document_annotations=[{**judged, "span_id": "span 1", "name": "relevance", "document_position": 1}], sync=True
)
client.spans.add_span_note(span_id="span 2", note="seen")
found = client.spans.get_span_annotations(span_ids=["span 0", "span 1", "span 2"], project_identifier=project)
frames = client.spans.get_span_annotations_dataframe(span_ids=["span 2"], project_identifier=project)
notes = client.spans.get_span_annotations(
    span_ids=["span 2"], project_identifier=project, include_annotation_names=["note"], exclude_annotation_names=[]
)
result["annotations"] = [
    len(stored),
    sorted([item["span_id"], item["name"], item["result"].get("score"), item["result"].get("label")] for item in found),
    sorted(frames["annotation_name"] if "annotation_name" in frames else frames["name"]),
    [item["result"]["explanation"] for item in notes],
]
print(json.dumps(result))
