// @ts-check
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import cloudflare from '@astrojs/cloudflare'
import react from '@astrojs/react'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'astro/config'
import { preloadModules } from './scripts/lib/module-preload.ts'

/** @type {import('astro').AstroIntegration} */
const clientSession = {
  name: 'client-session',
  hooks: {
    'astro:config:setup': ({ addClientDirective }) => {
      addClientDirective({ name: 'session', entrypoint: './src/boot/session-directive.ts' })
    },
  },
}

/** @type {import('astro').AstroIntegration} */
const modulePreload = {
  name: 'module-preload',
  hooks: { 'astro:build:done': ({ dir }) => preloadModules(fileURLToPath(dir)) },
}

/** What the account menu shows as the version: given by the start script, else the commit. */
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

/** What pages without an island run comes in a few small files; a dozen tiny ones compress badly and arrive one by one. */
const CHUNKS = [
  { name: 'base', test: /\/src\/(boot\/page|api\/xsrf|domain\/page-rules|stores\/storage)\.ts$/ },
  { name: 'ask', test: /\/src\/api\/(transport|me|result)\.ts$/ },
  { name: 'rescue', test: /\/src\/(boot\/trouble|domain\/loop-guard)\.ts$/ },
  { name: 'flow', test: /\/src\/boot\/(post|sign-in)\.ts$/ },
]

/**
 * The helper around every dynamic import would fetch style sheets ahead; ours are in the documents, so 0.9 KB are saved.
 * @type {import('vite').Plugin}
 */
const plainImports = {
  name: 'plain-imports',
  enforce: 'pre',
  load: (id) => (id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load()' : null),
}

export default defineConfig({
  output: 'static',
  adapter: cloudflare({ imageService: 'passthrough', prerenderEnvironment: 'node' }),
  session: false,
  integrations: [react(), clientSession, modulePreload],
  trailingSlash: 'never',
  build: { format: 'file', inlineStylesheets: 'always' },
  devToolbar: { enabled: false },
  vite: {
    plugins: [tailwindcss(), plainImports],
    build: { sourcemap: false },
    environments: {
      client: {
        // The adapter's banner is for its Worker, not for browsers.
        build: { modulePreload: false, rolldownOptions: { output: { banner: '', codeSplitting: { groups: CHUNKS } } } },
      },
    },
    define: { 'import.meta.env.BUILD_ID': JSON.stringify(buildId()) },
  },
})
