/**
 * Collects all stored, sent or configured names from the sources. Renaming one would lose data or break a client, so
 * scripts/check-fixed-names.ts compares the names with docs/fixed-names.json.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { ALL_COOKIES, toCookieName } from '../../contract/wire/cookies.ts'

/** Sorted names per kind, without duplicates. */
export type FixedNames = Readonly<Record<string, readonly string[]>>

export async function collectFixedNames(root: string): Promise<FixedNames> {
  const read = (file: string) => readFileSync(join(root, file), 'utf8')
  const readAll = (pattern: string) => globSync(pattern, { cwd: root }).map(read)
  const contract = await Promise.all(
    globSync('contract/**/*.ts', { cwd: root }).map((file) => importModule(root, file)),
  )
  const exports = contract.flatMap((module) => Object.entries(module))
  return sortAll({
    'durable objects and bindings': ['wrangler.toml', 'provider/wrangler.toml'].flatMap((file) =>
      matchAll(read(file), /^(?:binding|name|class_name) = "(\w+)"|^new_sqlite_classes = \[(.+)\]/gm),
    ),
    'tables and columns of D1': listColumns(readAll('provider/migrations/*.sql')),
    'tables and columns of durable objects': readAll('{provider,functions}/**/*.ts').flatMap(listSourceColumns),
    calls: exports.flatMap(([, value]) => (isCall(value) ? [`${value.method} ${value.path}`] : [])),
    'fields and codes of the wire': exports.flatMap(([, value]) => listSchemaNames(value)),
    'error codes': exports.flatMap(([name, value]) => (name === 'ERROR_CATALOG' ? Object.keys(value as object) : [])),
    environment: exports.flatMap(([name, value]) => (name === 'ENVIRONMENT' ? Object.keys(value as object) : [])),
    cookies: Object.values(ALL_COOKIES)
      .flat()
      .flatMap((name) => [name, toCookieName(name, 'http://localhost')]),
    'browser storage keys': readAll('src/stores/storage/*.ts').flatMap((text) =>
      matchAll(text, /^\s+\w+: '([\w-]+)'/gm),
    ),
    // Finds the options in the help texts.
    'command options': readAll('{scripts,bridge,tests/bench,tests/mutants}/**/*.ts').flatMap((text) =>
      matchAll(text, /(?:^ +|\[)(--[a-z][a-z-]+)/gm),
    ),
    'analytics events and properties': exports.flatMap(([name, value]) =>
      ['ANALYTICS_EVENTS', 'AUTOMATIC_EVENTS', 'ANALYTICS_PROPS', 'METRICS'].includes(name)
        ? Object.values(value as object).map(String)
        : [],
    ),
  })
}

const importModule = async (root: string, file: string): Promise<Record<string, unknown>> =>
  (await import(pathToFileURL(join(root, file)).href)) as Record<string, unknown>

const matchAll = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].flatMap((match) => match.slice(1).flatMap((group) => group?.match(/[\w-]+/g) ?? []))

const sortAll = (names: Record<string, string[]>): FixedNames =>
  Object.fromEntries(Object.entries(names).map(([kind, list]) => [kind, [...new Set(list)].sort()]))

function listColumns(migrations: readonly string[]): string[] {
  const db = new DatabaseSync(':memory:')
  for (const migration of migrations) db.exec(migration)
  return db
    .prepare(
      `SELECT t.name || '.' || c.name AS name FROM sqlite_master AS t, pragma_table_info(t.name) AS c WHERE t.type = 'table'`,
    )
    .all()
    .map(({ name }) => String(name))
}

function listSourceColumns(text: string): string[] {
  const createdColumns = [...text.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?(\w+)\s*\(/g)].flatMap(
    ({ index, 0: head }) => listColumns([text.slice(index, findClosingParen(text, index + head.length) + 1)]),
  )
  const added = [...text.matchAll(/ALTER TABLE (\w+) ADD COLUMN (\w+)/g)].map(
    ([, table, column]) => `${table}.${column}`,
  )
  return [...createdColumns, ...added]
}

function findClosingParen(text: string, start: number): number {
  let depth = 1
  let at = start
  for (; depth > 0 && at < text.length; at++) depth += text[at] === '(' ? 1 : text[at] === ')' ? -1 : 0
  return at - 1
}

const isCall = (value: unknown): value is { method: string; path: string } =>
  typeof value === 'object' && value !== null && 'ledger' in value && 'method' in value && 'path' in value

/** Returns keys, literals and options of a valibot schema or of a call's schemas, at every depth. */
function listSchemaNames(root: unknown): string[] {
  const names: string[] = []
  const visited = new Set<object>()
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || visited.has(value)) return
    visited.add(value)
    const schema = value as Record<string, unknown>
    if ('ledger' in schema) [schema['request'], schema['response']].forEach(visit)
    if (schema['kind'] !== 'schema') return
    if (typeof schema['literal'] === 'string') names.push(schema['literal'])
    const { entries, options } = schema
    if (typeof entries === 'object' && entries !== null) {
      names.push(...Object.keys(entries))
      Object.values(entries).forEach(visit)
    }
    if (Array.isArray(options))
      options.forEach((option) => (typeof option === 'string' ? names.push(option) : visit(option)))
    for (const part of ['item', 'wrapped', 'key', 'value', 'rest']) visit(schema[part])
    for (const part of ['items', 'pipe']) if (Array.isArray(schema[part])) schema[part].forEach(visit)
  }
  visit(root)
  return names
}
