/**
 * Fails if docs/fixed-names.json differs from the stored, sent or configured names in the sources. `--write` updates
 * the file to the current names.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { collectFixedNames, type FixedNames } from './lib/fixed-names.ts'

const root = new URL('..', import.meta.url).pathname
const storedNamesFile = join(root, 'docs/fixed-names.json')
const UPDATE_COMMAND = 'node scripts/run.mjs scripts/check-fixed-names.ts --write'

const currentNames = await collectFixedNames(root)
if (process.argv.includes('--write')) writeFileSync(storedNamesFile, `${JSON.stringify(currentNames, null, 2)}\n`)
const storedNames = v.parse(
  v.record(v.string(), v.array(v.string())),
  JSON.parse(readFileSync(storedNamesFile, 'utf8')),
)
const missing = listMissingNames(storedNames, currentNames)
const added = listMissingNames(currentNames, storedNames)
for (const name of missing)
  console.error(
    `${name} is missing from the sources, but stored data, requests or settings still use this name. Restore the name.`,
  )
for (const name of added) console.error(`${name} is new. Add the name to docs/fixed-names.json: ${UPDATE_COMMAND}`)
process.exitCode = missing.length + added.length > 0 ? 1 : 0

function listMissingNames(from: FixedNames, other: FixedNames): string[] {
  return Object.entries(from).flatMap(([kind, list]) =>
    list.filter((name) => !other[kind]?.includes(name)).map((name) => `${name} (${kind})`),
  )
}
