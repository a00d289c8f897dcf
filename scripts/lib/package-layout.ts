/**
 * Differences between a clone and an installed package. A package contains compiled scripts (`.js`), prebuilt pages and
 * Workers, and no sources. `scripts/package.ts` creates its files.
 */
import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { buildPages } from './build.ts'
import { buildTemplate } from './data-template.ts'
import { buildWorkers } from './workers.ts'

const SCRIPT_EXTENSION = extname(import.meta.filename)

/** True if this code runs from an installed package. */
export const isPackage = SCRIPT_EXTENSION === '.js'

/** Returns the program `porchlight`. In a package, the root of the compiled files is a folder inside the package. */
export const getProgramFile = (root: string): string => join(root, isPackage ? '../..' : '.', 'scripts/porchlight.mjs')

/** File of a package that contains the id of its build. */
export const BUILD_ID_FILE = 'dist/build-id'

/** Returns the file of a script. `path`: its path below the root without the extension, such as `bridge/main`. */
export const getScriptFile = (path: string): string => `${path}${SCRIPT_EXTENSION}`

/**
 * Builds the pages, the Workers, and the template of a data folder, unless they are up to date. A package contains them.
 * Returns the build id: 7 hex digits. Throws a `StopError` if the build fails.
 */
export function prepareBuild(root: string, printLine: (line: string) => void): string {
  if (isPackage) return readFileSync(join(root, BUILD_ID_FILE), 'utf8')
  const buildId = buildPages(root, printLine)
  buildWorkers(root, printLine)
  buildTemplate(root)
  return buildId
}
