/** Creates the files of the npm package, whose layout scripts/lib/package-layout.ts describes. */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import ts from 'typescript'
import { getOptionsPath } from './workers.ts'
import { getTemplateFolder } from './data-template.ts'
import { BUILD_ID_FILE } from './package-layout.ts'

/** Scripts that the commands of `porchlight`, or the processes that they start, run. */
const ENTRY_SCRIPTS = [
  ...['account', 'backup', 'insights', 'mailer', 'reconcile', 'restore', 'serve-worker', 'service', 'supervise'].map(
    (name) => `scripts/${name}.ts`,
  ),
  'bridge/main.ts',
  'bridge/check-files.ts',
]

/** Files and folders that the scripts read. Source maps are left out: only `npm run errors` in a clone reads them. */
const DATA_FILES = [
  'dist/client',
  'dist/workers',
  'dist/ground',
  'provider/migrations',
  'scenes/manifest.json',
  'scenes/rendered',
]
/** Files of a deployment. They contain the paths of the computer that built the pages. */
const DEPLOYMENT_FILES = ['dist/client/wrangler.json', 'dist/client/.assetsignore']

/** The compiler only drops types and renames `.ts` in imports: Node runs the same modules in a clone. */
const COMPILER_OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2024,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
  rewriteRelativeImportExtensions: true,
}

/**
 * Compiles the entry scripts and all modules that they import to the folder `target`. Returns the sorted names of the
 * npm packages that these modules import.
 */
export function compileScripts(root: string, target: string): string[] {
  const pending = ENTRY_SCRIPTS.map((file) => join(root, file))
  const compiled = new Set<string>()
  const packages = new Set<string>()
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (compiled.has(file)) continue
    compiled.add(file)
    const text = readFileSync(file, 'utf8')
    const isScript = file.endsWith('.ts')
    const output = isScript ? ts.transpileModule(text, { compilerOptions: COMPILER_OPTIONS }).outputText : text
    const path = join(target, relative(root, file).replace(/\.ts$/, '.js'))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, output)
    if (!isScript) continue
    for (const specifier of listImports(output)) {
      if (specifier.startsWith('.')) pending.push(findSource(resolve(dirname(file), specifier)))
      else if (!specifier.startsWith('node:'))
        packages.add(specifier.split('/', specifier[0] === '@' ? 2 : 1).join('/'))
    }
  }
  return [...packages].sort()
}

/** Returns all modules that a compiled script names in an import, an `import()`, or a call of `resolve`. */
const listImports = (text: string): string[] => [
  ...ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName),
  ...[...text.matchAll(/createRequire\(import\.meta\.url\)\.resolve\('([^']+)'\)/g)].map(([, name = '']) => name),
]

function findSource(path: string): string {
  const source = path.replace(/\.js$/, '.ts')
  return existsSync(source) ? source : path
}

/** Writes all files of the package to the folder `target`, which it replaces. Needs the current build. */
export function writePackageFiles(root: string, target: string, buildId: string): string[] {
  rmSync(target, { recursive: true, force: true })
  const packages = compileScripts(root, target)
  for (const path of DATA_FILES) cpSync(join(root, path), join(target, path), { recursive: true })
  for (const path of DEPLOYMENT_FILES) rmSync(join(target, path), { force: true })
  writeFileSync(join(target, BUILD_ID_FILE), buildId)
  removeSiteFolder(getOptionsPath(getTemplateFolder(target), 'portal'))
  return packages
}

/** Removes the folder of the built pages from the Worker's options. Each start names the site of its data folder. */
function removeSiteFolder(path: string): void {
  const { assets, ...options } = JSON.parse(readFileSync(path, 'utf8')) as { readonly assets: object }
  writeFileSync(path, JSON.stringify({ ...options, assets: { ...assets, directory: undefined } }))
}
