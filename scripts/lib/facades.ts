import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { TextCut } from './map-cuts.ts'

const FACADE_PATTERN = /^(?:import"(\.\/[^"]+)";|export\{([^}]*)\}from"(\.\/[^"]+)";)\s*$/
const DYNAMIC_IMPORT_PATTERN = /import\(`(\.\/[^`]+)`\)/g

/** Chunk that only exports bindings of another chunk: the other chunk, and its export for each name of the facade. */
export interface Facade {
  readonly target: string
  readonly exports: readonly (readonly [name: string, exportName: string])[]
}

/** Returns the facade that the code of a chunk consists of, or null if the chunk contains other code. */
export function parseFacade(code: string): Facade | null {
  const [match, sideEffectTarget, list = '', target = sideEffectTarget] = FACADE_PATTERN.exec(code) ?? []
  if (match === undefined || target === undefined) return null
  const exports = list.split(',').filter(Boolean)
  return {
    target,
    exports: exports.map((text) => {
      const [exportName = '', name = exportName] = text.split(' as ')
      return [name, exportName] as const
    }),
  }
}

/** Returns the dynamic imports of facades in `code`, each with the text that imports the target of the facade instead. */
export function replaceFacadeImports(code: string, facades: ReadonlyMap<string, Facade>): TextCut[] {
  return code.split('\n').flatMap((text, line) =>
    [...text.matchAll(DYNAMIC_IMPORT_PATTERN)].flatMap(({ 0: { length }, 1: url = '', index: column }) => {
      const facade = facades.get(url)
      return facade ? [{ line, column, length, replacement: renderImport(facade) }] : []
    }),
  )
}

/** Helper of the bundler's runtime that runs a CommonJS module on first use. It refers to nothing else. */
const COMMONJS_HELPER_PATTERN =
  /[ ,]([\w$]+)=(\(\w+,\w+\)=>\(\)=>\(\w+\|\|\(\w+\(\(\w+=\{exports:\{\}\}\)\.exports,\w+,\w+\.exports\),\w+=null\),\w+\.exports\))/
const RUNTIME_IMPORT_PATTERN = /import\{([\w$]+) as ([\w$]+)\}from"\.\/rolldown-runtime\.[^"]+";/g

/**
 * Returns the imports in `code` that need only the CommonJS helper of the runtime, each with a copy of the helper
 * instead. React needs nothing else, so pages load one file less.
 */
export function replaceRuntimeImports(code: string, runtime: string): TextCut[] {
  const [, local, helper] = COMMONJS_HELPER_PATTERN.exec(runtime) ?? []
  const exportName = listExports(runtime).find((names) => names[0] === local)?.[1]
  if (helper === undefined || exportName === undefined) return []
  return code
    .split('\n')
    .flatMap((text, line) =>
      [...text.matchAll(RUNTIME_IMPORT_PATTERN)].flatMap(({ 0: { length }, 1: name, 2: alias, index: column }) =>
        name === exportName ? [{ line, column, length, replacement: `var ${alias}=${helper};` }] : [],
      ),
    )
}

function renderImport({ target, exports }: Facade): string {
  const properties = exports.map(([name, exportName]) => `${name}:e.${exportName}`)
  return `import(\`${target}\`)${properties.length > 0 ? `.then(e=>({${properties.join(',')}}))` : ''}`
}

/**
 * Removes the facades that the documents in the folder `client` load as islands or renderers: adds the default export to
 * the target of the facade, and changes the URL in the documents. Saves each page two files.
 */
export function removeEntryFacades(client: string): void {
  const names = readdirSync(client, { recursive: true, encoding: 'utf8' })
  const read = (name: string) => readFileSync(join(client, name), 'utf8')
  const scripts = names.filter((name) => name.endsWith('.js'))
  const urls = new Map<string, string>()
  for (const name of scripts) {
    const facade = parseFacade(read(name))
    const [property, ...others] = facade?.exports ?? []
    if (!facade || property?.[0] !== 'default' || others.length > 0) continue
    const target = join(name, '..', facade.target)
    const code = addDefaultExport(read(target), property[1])
    const isImported = scripts.some((script) => read(script).includes(`./${basename(name)}`))
    if (code === null || isImported) continue
    writeFileSync(join(client, target), code)
    urls.set(`/${name}`, `/${target}`)
  }
  for (const url of urls.keys()) rmSync(join(client, url))
  for (const name of names.filter((file) => file.endsWith('.html'))) {
    const html = read(name)
    const changed = [...urls].reduce((text, [url, target]) => text.replaceAll(`"${url}"`, `"${target}"`), html)
    if (changed !== html) writeFileSync(join(client, name), changed)
  }
}

/**
 * Returns `code` with its export `exportName` as its default export too. Returns null if `code` already has a default
 * export, or does not have this export.
 */
function addDefaultExport(code: string, exportName: string): string | null {
  const names = listExports(code)
  const local = names.find(([, name]) => name === exportName)?.[0]
  if (local === undefined || names.some(([, name]) => name === 'default')) return null
  return `${code.trimEnd()}export{${local} as default};\n`
}

/** Returns the local name and the exported name of each export in the last statement of `code`. */
function listExports(code: string): (readonly [local: string, name: string])[] {
  const list = /export\{([^{}]*)\};?\s*$/.exec(code)?.[1]?.split(',') ?? []
  return list.map((text) => text.split(' as ')).map(([local = '', name = local]) => [local, name] as const)
}
