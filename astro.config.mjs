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
      addClientDirective({ name: 'session', entrypoint: './src/boot/session/session-directive.ts' })
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

/** Modules by the beginnings of their paths. */
const files = (/** @type {string[]} */ ...parts) => new RegExp(`/(${parts.join('|')})`)

/**
 * What belongs together comes in one file: a dozen tiny ones compress badly and arrive one by one. Pages without an island
 * run `base` to `flow` and nothing of the rest. `signed-in` and `media` start a protected page while `react` is on its way.
 */
const CHUNKS = [
  {
    name: 'base',
    test: files(
      'preload-helper',
      'src/(boot/page/(page|follow-redirect-url|on-load)|api/xsrf|domain/sign-in-pages|stores/storage/box)\\.ts',
    ),
  },
  { name: 'ask', test: files('src/api/(transport|me|result)\\.ts') },
  { name: 'rescue', test: files('src/(boot/page/trouble|domain/loop-guard)\\.ts') },
  { name: 'flow', test: files('src/boot/session/(post|sign-in)\\.ts') },
  {
    name: 'signed-in',
    test: files(
      'node_modules/(valibot|nanostores|@nanostores/persistent)/',
      'contract/(call|constants|devices|envelope|events|extension|feed|live|signalling)\\.ts',
      'src/api/(client|refresh|refused)\\.ts',
      'src/boot/(session/connected|first/early|page/idle|session/marker|session/who)\\.ts',
      'src/stores/(session/connect|home/devices|home/feed|home/feed-connection|storage/persistent|session/preload|session/refresh-timer|session/session|storage/storage)\\.ts',
    ),
  },
  { name: 'brand', test: files('contract/brand\\.ts') },
  {
    name: 'media',
    test: files(
      'src/media/(?!clip|frames|kvs|peer|picture-watch|quality|relay|snapshots|stats|ways|webrtc)',
      'contract/relay\\.ts',
      'src/stores/live/live(?!-today-list|-wake|-sound|-snapshot|-renditions)',
    ),
  },
  {
    name: 'react',
    test: files(
      'node_modules/(react|react-dom|scheduler|@nanostores/react|@astrojs/react|lucide-react)/(?!dist/esm/icons)',
    ),
  },
  {
    name: 'live',
    test: files('src/islands/live/(Live|parts/(lazy|Grid|no-cameras|Pills|Tile|words)\\.)'),
  },
  {
    name: 'event-rules',
    test: files(
      'node_modules/dayjs/',
      'contract/event-tags\\.ts',
      'src/domain/(clip-resource|date-range|event-address|event-filter|event-labels|event-list|event-types|parts)\\.ts',
      'src/stores/events/event-(feed|list|loading)\\.ts',
    ),
  },
  // These two have users beside the list, who must not fetch it.
  { name: 'subscriptions', test: files('src/stores/account/subscriptions\\.ts') },
  { name: 'sliders', test: files('icons/sliders-horizontal') },
  // The island with whatever it imports that is in no group above.
  { name: 'events', test: files('src/islands/events/Events\\.tsx') },
].map((group, index, all) => ({ ...group, priority: all.length - index }))

/**
 * The helper around every dynamic import would fetch style sheets ahead; ours are in the documents, so the helper and its
 * lists of files go.
 * @type {import('vite').Plugin}
 */
const plainImports = {
  name: 'plain-imports',
  enforce: 'post',
  load: {
    order: 'pre',
    handler: (id) => (id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load()' : null),
  },
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue
        chunk.code = chunk.code
          .replace(/^const __vite__mapDeps=.*\n/m, '')
          .replace(/,__vite__mapDeps\(\[[\d,]*\]\)/g, '')
      }
    },
  },
}

export default defineConfig({
  output: 'static',
  adapter: cloudflare({ imageService: 'passthrough', prerenderEnvironment: 'node' }),
  session: false,
  integrations: [react(), clientSession, modulePreload],
  trailingSlash: 'never',
  build: { format: 'file', inlineStylesheets: 'always' },
  // Highlighting writes style attributes, which the policy of the pages refuses.
  markdown: { syntaxHighlight: false },
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
