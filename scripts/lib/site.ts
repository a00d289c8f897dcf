import { fillPath } from '../../contract/wire/call.ts'
import { getHstsValue } from '../../contract/wire/constants.ts'
import { getSeparateCollectorOrigin } from '../../contract/telemetry/device-collector-origin.ts'
import { COLLECTOR_CLIENT, reportNewSession } from '../../contract/telemetry/device-collector.ts'
import { getRedirectablePaymentDomain } from '../../contract/billing/payment-domain.ts'
import { createHash } from 'node:crypto'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { EnvironmentOf } from '../../contract/environment.ts'
import { isLoopback } from './secrets.ts'
import { StopError } from './stop.ts'

type PageEnvironment = Pick<
  EnvironmentOf<'portal'>,
  | 'PORTAL_ORIGIN'
  | 'PROVIDER_ORIGIN'
  | 'PAYMENT_ORIGIN'
  | 'OWN_DOMAIN'
  | 'PAYMENT_DOMAIN'
  | 'ENVIRONMENT'
  | 'BUILD_ID'
  | 'OIDC_ISSUER'
  | 'COLLECTOR_CLIENT_ID'
  | 'COLLECTOR_HOSTNAME'
  | 'COLLECTOR_ENVIRONMENT'
  | 'COLLECTOR_TEST_ORIGIN'
  | 'COLLECTOR_PROD_ORIGIN'
  | 'EXPERIMENT'
  | 'EXPERIMENT_POLL_MS'
  | 'TEST_TRACKING'
  | 'ANALYTICS_LIBRARY'
  | 'REVENUE_TOKEN'
>

/**
 * Creates the served folder: the built pages, and `config.json` and `_headers` with the origins of this run. Another
 * port or domain therefore needs no new build.
 */
export function makeSite(buildFolder: string, site: string, env: PageEnvironment): void {
  rmSync(site, { recursive: true, force: true })
  cpSync(buildFolder, site, { recursive: true })
  writeRunAttributes(site, env)
  writeFileSync(join(site, 'config.json'), JSON.stringify(createPublicConfig(env)))
  writeFileSync(join(site, '_headers'), formatHeadersFile(site, env))
}

/**
 * Writes the environment and the device collector's session URL into each document. Pages need these values before
 * their scripts have fetched the configuration.
 */
function writeRunAttributes(site: string, env: PageEnvironment): void {
  const html = `<html data-environment="${escapeAttribute(env.ENVIRONMENT)}" `
  const body = `<body${renderCollectorAttributes(env)}`
  const documents = readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'))
  for (const name of documents) {
    const path = join(site, name)
    const text = readFileSync(path, 'utf8')
    writeFileSync(
      path,
      text.replace('<html ', () => html).replace('<body', () => body),
    )
  }
}

function renderCollectorAttributes(env: PageEnvironment): string {
  const host = findCollectorOrigin(env)
  if (host === null) return ''
  const url = `${host}${fillPath(reportNewSession.path, { sessionId: '*' })}?kddcgid=`
  return ` data-collector="${escapeAttribute(url)}" data-client="${escapeAttribute(getCollectorSettings(env).collectorClientId)}"`
}

const escapeAttribute = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

export function createPublicConfig(env: PageEnvironment) {
  return {
    portalOrigin: env.PORTAL_ORIGIN,
    providerOrigin: env.PROVIDER_ORIGIN,
    paymentOrigin: env.PAYMENT_ORIGIN,
    environment: env.ENVIRONMENT,
    buildId: env.BUILD_ID,
    ownDomain: env.OWN_DOMAIN,
    paymentDomain: getRedirectablePaymentDomain(env.PAYMENT_DOMAIN, env.OWN_DOMAIN),
    experiment: env.EXPERIMENT ?? '',
    experimentPollMs: env.EXPERIMENT_POLL_MS ?? '',
    testTracking: env.TEST_TRACKING ?? 'on',
    analyticsLibrary: env.ANALYTICS_LIBRARY ?? '',
    hmsUrl: `${env.PROVIDER_ORIGIN}/home-monitoring`,
    /** '' disables revenue tracking. */
    revenueToken: env.REVENUE_TOKEN || '',
    ...getCollectorSettings(env),
  }
}

/**
 * Returns the device collector settings for pages. `collectorHostname` selects the collector's host. If it is empty,
 * `collectorEnvironment` selects the test origin (`TEST`) or the production origin (`PROD`). If `collectorEnvironment`
 * has neither value, the collector is off. Both origins default to the provider.
 */
function getCollectorSettings(env: PageEnvironment) {
  return {
    collectorClientId: env.COLLECTOR_CLIENT_ID || COLLECTOR_CLIENT,
    collectorHostname: env.COLLECTOR_HOSTNAME || '',
    collectorEnvironment: env.COLLECTOR_ENVIRONMENT || (isLoopback(env.PORTAL_ORIGIN) ? 'TEST' : 'PROD'),
    collectorTestOrigin: env.COLLECTOR_TEST_ORIGIN || env.PROVIDER_ORIGIN,
    collectorProdOrigin: env.COLLECTOR_PROD_ORIGIN || env.PROVIDER_ORIGIN,
  }
}

/**
 * Returns the collector's origin for pages of this run; null if the collector is off, or if its origin is invalid or
 * equals the portal's origin.
 */
function findCollectorOrigin(env: PageEnvironment): string | null {
  const { collectorHostname, collectorEnvironment, collectorTestOrigin, collectorProdOrigin } =
    getCollectorSettings(env)
  const hosts = { TEST: collectorTestOrigin, PROD: collectorProdOrigin }
  const settings = { hostname: collectorHostname || undefined, environment: collectorEnvironment, hosts }
  return getSeparateCollectorOrigin(settings, env.PORTAL_ORIGIN)
}

/**
 * Returns the `_headers` file. Only documents and SVG images, which browsers can open as documents, keep the document
 * headers. The policies are 4 KB long, so they would be larger than most scripts.
 */
function formatHeadersFile(site: string, env: PageEnvironment): string {
  const documentHeaders: [string, string][] = [
    ...createContentSecurityPolicies(site, env).map((policy): [string, string] => ['Content-Security-Policy', policy]),
    ['Permissions-Policy', 'camera=(), microphone=(), geolocation=(), payment=(), usb=()'],
    ['Cross-Origin-Opener-Policy', 'same-origin'],
    ['Referrer-Policy', 'strict-origin-when-cross-origin'],
  ]
  const everyLine = [...Object.entries(createFileHeaders(env)), ...documentHeaders].map(
    ([name, value]) => `  ${name}: ${value}`,
  )
  const detachLines = [...new Set(documentHeaders.map(([name]) => `  ! ${name}`))].join('\n')
  const rules = [
    `/*\n${everyLine.join('\n')}`,
    ...listPlainFileTypes(site).map((type) => `/*.${type}\n${detachLines}`),
    '/_astro/*\n  Cache-Control: public, max-age=31536000, immutable',
  ]
  return `${rules.join('\n\n')}\n`
}

/** Returns the extensions of the served files that are not documents. */
function listPlainFileTypes(site: string): string[] {
  const files = readdirSync(site, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const types = new Set(files.map(({ name }) => extname(name).slice(1)))
  return [...types].filter((type) => type !== '' && !DOCUMENT_TYPES.includes(type)).sort()
}
const DOCUMENT_TYPES = ['html', 'svg']

function createFileHeaders(env: PageEnvironment): Record<string, string> {
  const hsts = getHstsValue(env.PORTAL_ORIGIN)
  return {
    'X-Content-Type-Options': 'nosniff',
    ...(hsts === null ? {} : { 'Strict-Transport-Security': hsts }),
  }
}

/** Maximum length of a `_headers` line; Cloudflare silently drops longer ones. */
const HEADER_LINE_MAX_LENGTH = 2000

/**
 * Returns the two content security policies of all documents; browsers enforce both. One line would be too long, so the
 * second policy contains the style hashes. Throws if a line exceeds the limit.
 */
export function createContentSecurityPolicies(site: string, env: PageEnvironment): [string, string] {
  const pages = readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'))
  const html = pages.map((page) => readFileSync(join(site, page), 'utf8'))
  const providerSources = `${env.PROVIDER_ORIGIN} ${env.PROVIDER_ORIGIN.replace(/^http/, 'ws')}`
  const collector = findCollectorOrigin(env)
  const connectSources = [
    ...new Set(["'self'", ...providerSources.split(' '), ...(collector === null ? [] : [collector])]),
  ].join(' ')
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${formatHashes(html, /<script(?![^>]*\bsrc=)(?![^>]*application\/(?:ld\+)?json)[^>]*>([\s\S]*?)<\/script>/g)}`,
    "style-src 'self' 'unsafe-inline'",
    `connect-src ${connectSources}`,
    `frame-src ${collector ?? "'none'"}`,
    `img-src 'self' ${env.PROVIDER_ORIGIN} blob: data:`,
    `media-src 'self' ${providerSources} blob:`,
    "font-src 'self'",
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    // Without JavaScript, users sign in through a form. Browsers also apply `form-action` to the redirect that follows
    // the form post.
    `form-action 'self' ${[...new Set([env.PROVIDER_ORIGIN, new URL(env.OIDC_ISSUER).origin])].join(' ')}`,
  ].join('; ')
  const styles = `style-src 'self' ${formatHashes(html, /<style[^>]*>([\s\S]*?)<\/style>/g)}`
  const policies: [string, string] = [policy, styles]
  if (policies.some((value) => `  Content-Security-Policy: ${value}`.length > HEADER_LINE_MAX_LENGTH))
    throw new StopError('The content security policy is too long. Use fewer or shorter origins.')
  return policies
}

function formatHashes(pages: readonly string[], pattern: RegExp): string {
  const found = pages.flatMap((page) =>
    [...page.matchAll(pattern)].map(([, inline = '']) => inline).filter((inline) => inline !== ''),
  )
  const unique = new Set(found.map((inline) => `'sha256-${createHash('sha256').update(inline).digest('base64')}'`))
  return [...unique].join(' ')
}
