"""As much of JSON Schema as docs/certificate.schema.json uses; an unknown keyword is an error."""
import re

IGNORED = {"$schema", "title", "description", "$defs"}
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool}


def problems(value, schema, root, where="$"):
    """What in the value is not as the schema says."""
    if "$ref" in schema:
        target = root
        for part in schema["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        return problems(value, target, root, where)
    found = []
    for keyword, wanted in schema.items():
        if keyword not in IGNORED:
            found += CHECKS[keyword](value, wanted, schema, root, where)
    return found


def of_type(value, wanted):
    if wanted == "integer":
        return type(value) is int
    return type(value) is TYPES[wanted]


def alternatives(value, options, root, where):
    return [problems(value, option, root, where) for option in options]


def any_of(value, options, _, root, where):
    each = alternatives(value, options, root, where)
    return [] if any(not found for found in each) else [f"{where}: no alternative fits: {each}"]


def one_of(value, options, _, root, where):
    fitting = sum(not found for found in alternatives(value, options, root, where))
    return [] if fitting == 1 else [f"{where}: {fitting} alternatives fit"]


def properties(value, wanted, _, root, where):
    if type(value) is not dict:
        return []
    return [line for key, schema in wanted.items() if key in value
            for line in problems(value[key], schema, root, f"{where}.{key}")]


def additional(value, wanted, schema, root, where):
    if type(value) is not dict:
        return []
    others = [key for key in value if key not in schema.get("properties", {})]
    if wanted is False:
        return [f"{where}: unknown field {key}" for key in others]
    return [line for key in others for line in problems(value[key], wanted, root, f"{where}.{key}")]


def when(condition, message):
    return [message] if condition else []


CHECKS = {
    "type": lambda v, w, s, r, at: when(not of_type(v, w), f"{at}: {v!r:.50} is no {w}"),
    "const": lambda v, w, s, r, at: when(type(v) is not type(w) or v != w, f"{at}: {v!r:.50} is not {w!r}"),
    "enum": lambda v, w, s, r, at: when(v not in w, f"{at}: {v!r:.50} is none of {w}"),
    "required": lambda v, w, s, r, at: when(type(v) is dict and not set(w) <= set(v), f"{at}: {set(w) - set(v)} missing"
                                            if type(v) is dict else ""),
    "properties": properties,
    "additionalProperties": additional,
    "items": lambda v, w, s, r, at: [line for i, each in enumerate(v) for line in problems(each, w, r, f"{at}[{i}]")]
    if type(v) is list else [],
    "minProperties": lambda v, w, s, r, at: when(type(v) is dict and len(v) < w, f"{at}: under {w} fields"),
    "minItems": lambda v, w, s, r, at: when(type(v) is list and len(v) < w, f"{at}: under {w} items"),
    "maxItems": lambda v, w, s, r, at: when(type(v) is list and len(v) > w, f"{at}: over {w} items"),
    "minLength": lambda v, w, s, r, at: when(type(v) is str and len(v) < w, f"{at}: under {w} characters"),
    "maxLength": lambda v, w, s, r, at: when(type(v) is str and len(v) > w, f"{at}: over {w} characters"),
    "minimum": lambda v, w, s, r, at: when(type(v) is int and v < w, f"{at}: {v} is below {w}"),
    "maximum": lambda v, w, s, r, at: when(type(v) is int and v > w, f"{at}: {v} is above {w}"),
    "pattern": lambda v, w, s, r, at: when(type(v) is str and not re.search(w, v), f"{at}: {v!r:.50} is not {w}"),
    "anyOf": any_of,
    "oneOf": one_of,
}
