/**
 * Runs before `npm pack`: builds the pages and the Workers, and writes the files of the package to `dist/package`
 * (docs/decisions/0101).
 */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import packageJson from '../package.json' with { type: 'json' }
import { runCommand } from './lib/command.ts'
import { writePackageFiles } from './lib/package-files.ts'
import { prepareBuild } from './lib/package-layout.ts'
import { StopError } from './lib/stop.ts'
import { writeNotices } from './lib/third-party-notices.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

function main(): void {
  // Standard output belongs to npm, which prints the name of the package's file there.
  const buildId = prepareBuild(root, (line) => console.error(line))
  const target = join(root, 'dist/package')
  const imported = writePackageFiles(root, target, buildId)
  const declared = Object.keys(packageJson.dependencies).sort()
  if (imported.join() !== declared.join())
    throw new StopError(
      `The scripts of the package import: ${imported.join(', ')}. In package.json, make these the "dependencies" and all others "devDependencies".`,
    )
  writeNotices(root, buildId, join(target, 'THIRD-PARTY-NOTICES.txt'))
}

await runCommand(main)
