import { createHash } from 'node:crypto'
import { FACTS_PATH, FRAME_END_MESSAGE } from '../../../contract/telemetry/device-collector.ts'

/**
 * Script of the frame. The URL fragment names the groups of facts to collect. When the request with the facts ends or
 * fails, the script notifies the parent page if that page has the portal's origin.
 */
const FRAME_SCRIPT = `{
const { s, m, portal } = document.body.dataset
const groups = {
  browser: () => ({
    language: navigator.language,
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    cores: navigator.hardwareConcurrency,
  }),
  ui: () => ({
    width: screen.width,
    height: screen.height,
    density: devicePixelRatio,
    touch: navigator.maxTouchPoints > 0,
    dark: matchMedia('(prefers-color-scheme: dark)').matches,
  }),
}
const facts = {}
for (const name of location.hash.slice(1).split(',')) if (Object.hasOwn(groups, name)) Object.assign(facts, groups[name]())
const done = () => parent.postMessage({ data: '${FRAME_END_MESSAGE}', params: { s } }, portal)
fetch('${FACTS_PATH}?' + new URLSearchParams({ s, m }), { method: 'POST', body: JSON.stringify(facts) }).then(done, done)
}`

const scriptHash = createHash('sha256').update(FRAME_SCRIPT).digest('base64')
const escapeHtml = (text: string) => text.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`)

/** Renders the frame page, which collects device facts and sends them to the origin of the frame. */
export const framePage = (portal: string, { s, m }: { s: string; m: string }): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Device</title></head>` +
  `<body data-s="${escapeHtml(s)}" data-m="${escapeHtml(m)}" data-portal="${escapeHtml(portal)}"><script>${FRAME_SCRIPT}</script></body></html>`

/** Returns the headers of the frame. Only the portal may embed the frame. */
export const frameHeaders = (portal: string): Record<string, string> => ({
  'Content-Security-Policy': [
    "default-src 'none'",
    `script-src 'sha256-${scriptHash}'`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${portal}`,
  ].join('; '),
  // With `no-referrer`, some browsers send `null` as the origin of the request.
  'Referrer-Policy': 'same-origin',
})
