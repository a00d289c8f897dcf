import { existsSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getSourceMapFolder } from './source-maps.ts'

/** Packages whose output is in the pages, although no source map names them: styles and the font. */
const UNMAPPED_PACKAGES = ['@fontsource-variable/nunito', 'daisyui', 'tailwindcss']

/**
 * Writes the license texts of all npm packages whose code is in the built pages and Workers. Finds them through the
 * source maps of the build. Throws an error if a package has no license file and no license in its package.json.
 */
export function writeNotices(root: string, buildId: string, path: string): void {
  const maps = globSync('**/*.map', { cwd: getSourceMapFolder(root, buildId) })
  const names = new Set(UNMAPPED_PACKAGES)
  for (const map of maps) {
    const { sources } = JSON.parse(readFileSync(join(getSourceMapFolder(root, buildId), map), 'utf8')) as {
      readonly sources: readonly string[]
    }
    for (const source of sources) {
      const [, name] = source.match(/.*node_modules\/((?:@[^/]+\/)?[^/]+)/) ?? []
      if (name !== undefined && existsSync(join(root, 'node_modules', name))) names.add(name)
    }
  }
  const notices = [...names].sort().map((name) => describePackage(join(root, 'node_modules', name)))
  writeFileSync(path, notices.join(`\n${'-'.repeat(80)}\n\n`))
}

function describePackage(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly name: string
    readonly version: string
    readonly license?: string
  }
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  if (file === undefined && license === undefined) throw new Error(`${name} has no license.`)
  const text = file === undefined ? '' : `\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
  return `${name} ${version} (${license ?? 'license below'})\n${text}`
}
