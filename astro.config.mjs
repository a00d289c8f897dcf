// @ts-check
import { execFileSync } from 'node:child_process'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import cloudflare from '@astrojs/cloudflare'
import react from '@astrojs/react'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'astro/config'
import { chunkGroups, findUnmatchedPaths } from './scripts/lib/chunks.ts'
import { parseFacade, removeEntryFacades, replaceFacadeImports, replaceRuntimeImports } from './scripts/lib/facades.ts'
import { combineIconShapes } from './scripts/lib/icon-paths.ts'
import { minifyInlineScripts } from './scripts/lib/inline-scripts.ts'
import { cutMappings, cutText } from './scripts/lib/map-cuts.ts'
import { removePreloadLists } from './scripts/lib/plain-imports.ts'
import { preloadModules } from './scripts/lib/module-preload.ts'

/** @type {import('astro').AstroIntegration} */
const clientSession = {
  name: 'client-session',
  hooks: {
    'astro:config:setup': ({ addClientDirective }) => {
      addClientDirective({ name: 'session', entrypoint: './src/boot/session/session-directive.ts' })
    },
  },
}

/** @type {import('astro').AstroIntegration} */
const documents = {
  name: 'documents',
  hooks: {
    'astro:build:done': ({ dir }) => {
      removeEntryFacades(fileURLToPath(dir))
      preloadModules(fileURLToPath(dir))
      minifyInlineScripts(fileURLToPath(dir))
    },
  },
}

/**
 * Returns the version that the account menu shows: `BUILD_ID` if the start script sets it, otherwise the short Git
 * commit hash, or `unknown` if Git fails.
 */
function buildId() {
  if (process.env.BUILD_ID) return process.env.BUILD_ID
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return 'unknown'
  }
}

/**
 * Removes dynamically imported chunks that only export bindings of another chunk. Dynamic imports name the other chunk
 * instead, which saves a file and a round trip. Chunks that need only one helper of the runtime contain a copy of it.
 * @param {import('vite').Rolldown.OutputBundle} bundle
 */
function removeFacades(bundle) {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
  const facades = new Map()
  const runtime = chunks.find(({ name }) => name === 'rolldown-runtime')?.code ?? ''
  for (const { isEntry, code, fileName } of chunks) {
    const facade = isEntry ? null : parseFacade(code)
    if (!facade) continue
    facades.set(`./${basename(fileName)}`, facade)
    delete bundle[fileName]
    delete bundle[`${fileName}.map`]
  }
  for (const chunk of chunks) {
    const cuts = [...replaceFacadeImports(chunk.code, facades), ...replaceRuntimeImports(chunk.code, runtime)]
    if (cuts.length === 0) continue
    chunk.code = cutText(chunk.code, cuts)
    const file = bundle[`${chunk.fileName}.map`]
    if (file?.type !== 'asset') continue
    const map = JSON.parse(file.source.toString())
    file.source = JSON.stringify({ ...map, mappings: cutMappings(map.mappings, cuts) })
  }
}

/**
 * Removes Vite's preload helper and its file lists from dynamic imports, because the documents already contain the
 * style sheets. The build fails if the bundler writes the lists differently, or if a chunk group names a missing
 * module.
 * @type {import('vite').Plugin}
 */
const plainImports = {
  name: 'plain-imports',
  enforce: 'post',
  applyToEnvironment: ({ name }) => name === 'client',
  load: {
    order: 'pre',
    handler: (id) => (id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load()' : null),
  },
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const stray = findUnmatchedPaths([...this.getModuleIds()])
      if (stray.length > 0) this.error(`scripts/lib/chunk-paths.ts names what is in no chunk: ${stray.join(', ')}`)
      let lists = 0
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue
        const plain = removePreloadLists(chunk.code)
        if (plain.hasList) lists++
        chunk.code = plain.code
        if (chunk.code.includes('__vite__mapDeps')) this.error(`${chunk.fileName} still has a list of files to fetch.`)
        // A chunk that only re-exports other modules has no map.
        const file = bundle[`${chunk.fileName}.map`]
        if (file?.type !== 'asset') continue
        const map = JSON.parse(file.source.toString())
        file.source = JSON.stringify({ ...map, sourcesContent: undefined, mappings: plain.moved(map.mappings) })
      }
      removeFacades(bundle)
      if (lists === 0) this.error('No chunk has a list of files to fetch: plain-imports has nothing left to do.')
    },
  },
}

/** @type {import('vite').Plugin} */
const iconPaths = {
  name: 'icon-paths',
  transform: {
    filter: { id: /\/lucide-react\/dist\/esm\/icons\/[^/]+\.mjs$/ },
    handler: (code) => {
      const combined = combineIconShapes(code)
      return combined === null ? null : { code: combined, map: null }
    },
  },
}

export default defineConfig({
  output: 'static',
  adapter: cloudflare({ imageService: 'passthrough', prerenderEnvironment: 'node' }),
  session: false,
  integrations: [react(), clientSession, documents],
  trailingSlash: 'never',
  build: { format: 'file', inlineStylesheets: 'always' },
  // Syntax highlighting writes style attributes, which the pages' CSP forbids.
  markdown: { syntaxHighlight: false },
  devToolbar: { enabled: false },
  vite: {
    plugins: [tailwindcss(), iconPaths, plainImports],
    environments: {
      // Bundled, so that `iconPaths` changes the icons of the documents too.
      prerender: { resolve: { noExternal: ['lucide-react'] } },
      client: {
        // `banner: ''` removes the banner that the Cloudflare adapter adds for its Worker. Browsers do not need it.
        build: {
          // Chunks do not reference maps, and maps are not served: the build script moves them away
          // (scripts/lib/source-maps.ts).
          sourcemap: 'hidden',
          modulePreload: false,
          rolldownOptions: { output: { banner: '', codeSplitting: { groups: chunkGroups } } },
        },
      },
    },
    define: { 'import.meta.env.BUILD_ID': JSON.stringify(buildId()) },
  },
})
