import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, arch } from 'node:os'
import { join } from 'node:path'

export const machineDescription = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${process.platform} ${arch()}, Node ${process.version}`

/** Replaces the section `heading` of docs/benchmarks.md. The new section, with date and machine, is at the end. */
export function writeSection(root: string, heading: string, text: string): void {
  const path = join(root, 'docs/benchmarks.md')
  const [title = '', ...sections] = readFileSync(path, 'utf8').split(/^(?=## )/m)
  const others = sections.filter((section) => !section.startsWith(`## ${heading}\n`))
  const summary = `The last run: ${new Date().toISOString().slice(0, 10)}, ${machineDescription}.`
  writeFileSync(path, [title, ...others, `## ${heading}\n\n${summary}\n\n${text}\n\n`].join('').trimEnd() + '\n')
}
