// Checks a value against the keywords of JSON Schema that the schemas of this project use. An unknown keyword is an error, so
// that nothing in a schema is passed over.

const TYPES = {
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  array: Array.isArray,
  string: (value) => typeof value === "string",
  integer: Number.isInteger,
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
};

/** What of `value` is not as `schema` says; an empty list where all is. */
export function violations(schema, value, root = schema, at = "$") {
  const wrong = [];
  const say = (words) => wrong.push(`${at}: ${words}`);
  for (const [keyword, rule] of Object.entries(schema)) {
    if (["$schema", "$defs", "title", "description"].includes(keyword)) continue;
    if (keyword === "$ref") {
      wrong.push(...violations(root.$defs[rule.replace("#/$defs/", "")], value, root, at));
    } else if (keyword === "type") {
      if (![rule].flat().some((name) => TYPES[name](value))) say(`is no ${rule}`);
    } else if (keyword === "enum") {
      if (!rule.includes(value)) say(`is none of ${rule}`);
    } else if (keyword === "minimum") {
      if (typeof value === "number" && value < rule) say(`is less than ${rule}`);
    } else if (keyword === "required") {
      if (TYPES.object(value)) for (const name of rule) if (!(name in value)) say(`has no ${name}`);
    } else if (keyword === "items") {
      if (Array.isArray(value)) value.forEach((item, index) => wrong.push(...violations(rule, item, root, `${at}[${index}]`)));
    } else if (keyword === "properties") {
      if (TYPES.object(value))
        for (const [name, part] of Object.entries(rule)) if (name in value) wrong.push(...violations(part, value[name], root, `${at}.${name}`));
    } else if (keyword === "additionalProperties") {
      if (TYPES.object(value))
        for (const name of Object.keys(value).filter((name) => !(name in (schema.properties ?? {})))) {
          if (rule === false) say(`has ${name}, which is not in the schema`);
          else wrong.push(...violations(rule, value[name], root, `${at}.${name}`));
        }
    } else say(`the keyword ${keyword} is not known here`);
  }
  return wrong;
}
