/** `npm run release-notes`: checks the tag of a release, and prints the part of the changelog about its version. */
import { readFileSync, writeFileSync } from 'node:fs'
import packageJson from '../package.json' with { type: 'json' }
import { parseCommandArguments, runCommand } from './lib/command.ts'
import { findReleaseNotes } from './lib/release-notes.ts'

const HELP = `npm run release-notes -- TAG [--output FILE]
Prints the part of CHANGELOG.md about the version in package.json. TAG is v and
that version.`

function main(): void {
  const options = { output: { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const
  const { values, positionals } = parseCommandArguments({ options, allowPositionals: true }, HELP)
  if (values.help) return console.log(HELP)
  const changelog = readFileSync(new URL('../CHANGELOG.md', import.meta.url), 'utf8')
  const notes = findReleaseNotes(changelog, packageJson.version, positionals[0] ?? '')
  if (values.output === undefined) console.log(notes)
  else writeFileSync(values.output, `${notes}\n`)
}

await runCommand(main)
