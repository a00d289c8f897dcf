#!/usr/bin/env node
// The command `porchlight`. This file is plain JavaScript for Node 20 or newer, because it also runs before any package
// is installed. Each command parses its own options.
import { readFileSync } from 'node:fs'
import { launch } from './launch.mjs'

/**
 * Script of each command, a path below the root of the project. `args` precede the user's arguments.
 *
 * @type {Record<string, { summary: string, file: string, args?: string[], hasChannel?: boolean }>}
 */
const COMMANDS = {
  start: { summary: 'start Porchlight and run until Ctrl-C', file: 'scripts/supervise.ts', hasChannel: true },
  camera: { summary: 'add, list, or remove cameras', file: 'bridge/main.ts', args: ['camera'] },
  account: { summary: 'invite, add, list, or remove accounts', file: 'scripts/account.ts' },
  backup: { summary: 'write all data to one file, also while Porchlight runs', file: 'scripts/backup.ts' },
  restore: { summary: 'restore a backup into a data folder', file: 'scripts/restore.ts' },
  reconcile: { summary: 'compare the ledgers with the payment gateway', file: 'scripts/reconcile.ts' },
  insights: { summary: 'print usage reports', file: 'scripts/insights.ts' },
  doctor: { summary: 'test cameras and print remedies', file: 'bridge/main.ts', args: ['doctor'] },
  service: { summary: 'start Porchlight with this computer (systemd)', file: 'scripts/service.ts' },
}

const HELP = `porchlight COMMAND [options]
${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  ${name.padEnd(11)}${summary}`)
  .join('\n')}
  --version  print the version
  --help     print this help, or help for a command: porchlight start --help
The data folder is .porchlight in the current folder. To use another data
folder, add --data DIR.`

const [name, ...args] = process.argv.slice(2)
if (name === undefined || name === '--help' || name === '-h') console.log(HELP)
else if (name === '--version' || name === '-v') console.log(readVersion())
else if (Object.hasOwn(COMMANDS, name)) {
  const { file, args: firstArgs = [], ...options } = COMMANDS[name]
  launch(file, [...firstArgs, ...args], options)
} else {
  console.error(describeUnknownCommand(name))
  process.exitCode = 2
}

/** @returns {string} */
function readVersion() {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version
}

function describeUnknownCommand(/** @type {string} */ name) {
  const similar = Object.keys(COMMANDS).filter((command) => isSimilar(name.toLowerCase(), command))
  const suggestion = similar.length > 0 ? ` Did you mean ${similar.join(' or ')}?` : ''
  return `Unknown command: ${name}.${suggestion}\nTo list the commands, run: porchlight --help`
}

/** Returns true if one text begins with the other, or if two edits or fewer change one into the other. */
function isSimilar(/** @type {string} */ typed, /** @type {string} */ command) {
  if (typed.length >= 2 && (command.startsWith(typed) || typed.startsWith(command))) return true
  let previous = Array.from({ length: command.length + 1 }, (_, i) => i)
  for (let i = 1; i <= typed.length; i++) {
    const row = [i]
    for (let j = 1; j <= command.length; j++) {
      const replaced = previous[j - 1] + (typed[i - 1] === command[j - 1] ? 0 : 1)
      row.push(Math.min(replaced, previous[j] + 1, row[j - 1] + 1))
    }
    previous = row
  }
  return previous[command.length] <= 2
}
