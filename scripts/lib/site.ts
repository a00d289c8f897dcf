import { fillPath } from '../../contract/wire/call.ts'
import { separateOrigin } from '../../contract/telemetry/device-collector-origin.ts'
import { COLLECTOR_CLIENT, newSession } from '../../contract/telemetry/device-collector.ts'
import { redirectablePayment } from '../../contract/billing/payment-domain.ts'
import { createHash } from 'node:crypto'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EnvironmentOf } from '../../contract/environment.ts'
import { isLoopback } from './secrets.ts'
import { Stop } from './stop.ts'

/** What pages and their headers are made from. */
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
  | 'REVENUE_TOKEN'
>

/**
 * Makes the folder that is served: the built pages, `config.json` and `_headers` for the origins of this run, so that
 * another port or domain needs no new build.
 */
export function makeSite(built: string, site: string, env: PageEnvironment): void {
  rmSync(site, { recursive: true, force: true })
  cpSync(built, site, { recursive: true })
  nameRun(site, env)
  writeFileSync(join(site, 'config.json'), JSON.stringify(publicConfig(env)))
  writeFileSync(join(site, '_headers'), headersFile(site, env))
}

/**
 * Pages ask for devices, and leave for the sign-in, before any script of theirs has asked for the configuration: the document says
 * where it runs, and where the collector hears of its session.
 */
function nameRun(site: string, env: PageEnvironment): void {
  const html = `<html data-environment="${attribute(env.ENVIRONMENT)}" `
  const body = `<body${collectorAttributes(env)}`
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

function collectorAttributes(env: PageEnvironment): string {
  const host = collectorHost(env)
  if (host === null) return ''
  const address = `${host}${fillPath(newSession.path, { sessionId: '*' })}?kddcgid=`
  return ` data-collector="${attribute(address)}" data-client="${attribute(collectorSettings(env).collectorClientId)}"`
}

const attribute = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** What a page may know of the run. */
export function publicConfig(env: PageEnvironment) {
  return {
    portalOrigin: env.PORTAL_ORIGIN,
    providerOrigin: env.PROVIDER_ORIGIN,
    paymentOrigin: env.PAYMENT_ORIGIN,
    environment: env.ENVIRONMENT,
    buildId: env.BUILD_ID,
    ownDomain: env.OWN_DOMAIN,
    paymentDomain: redirectablePayment(env.PAYMENT_DOMAIN, env.OWN_DOMAIN),
    experiment: env.EXPERIMENT ?? '',
    experimentPollMs: env.EXPERIMENT_POLL_MS ?? '',
    testTracking: env.TEST_TRACKING ?? 'on',
    hmsUrl: `${env.PROVIDER_ORIGIN}/home-monitoring`,
    /** '' starts no tracking of revenue. */
    revenueToken: env.REVENUE_TOKEN || '',
    ...collectorSettings(env),
  }
}

/**
 * The device collector, as pages are told of it: by a hostname, else by the name of one of its two hosts, which is off where it is
 * neither. Both are the provider where no other is named.
 */
function collectorSettings(env: PageEnvironment) {
  return {
    collectorClientId: env.COLLECTOR_CLIENT_ID || COLLECTOR_CLIENT,
    collectorHostname: env.COLLECTOR_HOSTNAME || '',
    collectorEnvironment: env.COLLECTOR_ENVIRONMENT || (isLoopback(env.PORTAL_ORIGIN) ? 'TEST' : 'PROD'),
    collectorTestOrigin: env.COLLECTOR_TEST_ORIGIN || env.PROVIDER_ORIGIN,
    collectorProdOrigin: env.COLLECTOR_PROD_ORIGIN || env.PROVIDER_ORIGIN,
  }
}

/** The origin of the one host of the collector that pages of this run speak with; null where it is off. */
function collectorHost(env: PageEnvironment): string | null {
  const { collectorHostname, collectorEnvironment, collectorTestOrigin, collectorProdOrigin } = collectorSettings(env)
  const hosts = { TEST: collectorTestOrigin, PROD: collectorProdOrigin }
  const place = { hostname: collectorHostname || undefined, environment: collectorEnvironment, hosts }
  return separateOrigin(place, env.PORTAL_ORIGIN)
}

function headersFile(site: string, env: PageEnvironment): string {
  const documents = [
    ...Object.entries(documentHeaders(env)),
    ...contentSecurityPolicies(site, env).map((policy) => ['Content-Security-Policy', policy]),
  ].map(([name, value]) => `  ${name}: ${value}`)
  const immutable = '/_astro/*\n  Cache-Control: public, max-age=31536000, immutable'
  return `/*\n${documents.join('\n')}\n\n${immutable}\n`
}

function documentHeaders(env: PageEnvironment): Record<string, string> {
  return {
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
    'Cross-Origin-Opener-Policy': 'same-origin',
    ...(env.PORTAL_ORIGIN.startsWith('https:')
      ? { 'Strict-Transport-Security': 'max-age=63072000; includeSubDomains' }
      : {}),
  }
}

/** Longest line of a `_headers` file: a longer one is left out without a word. */
const LINE_MAX = 2000

/**
 * The policies of all documents, with the hash of every inline script and style among them. A browser keeps to each of them:
 * the second says what the first leaves open, the styles, because both in one would be too long for a line. Throws where one is.
 */
export function contentSecurityPolicies(site: string, env: PageEnvironment): [string, string] {
  const pages = readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'))
  const html = pages.map((page) => readFileSync(join(site, page), 'utf8'))
  const provider = `${env.PROVIDER_ORIGIN} ${env.PROVIDER_ORIGIN.replace(/^http/, 'ws')}`
  const collector = collectorHost(env)
  const connectSources = [
    ...new Set(["'self'", ...provider.split(' '), ...(collector === null ? [] : [collector])]),
  ].join(' ')
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${hashes(html, /<script(?![^>]*\bsrc=)(?![^>]*application\/(?:ld\+)?json)[^>]*>([\s\S]*?)<\/script>/g)}`,
    "style-src 'self' 'unsafe-inline'",
    `connect-src ${connectSources}`,
    `frame-src ${collector ?? "'none'"}`,
    `img-src 'self' ${env.PROVIDER_ORIGIN} blob: data:`,
    `media-src 'self' ${provider} blob:`,
    "font-src 'self'",
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    // Without script the sign-in is a form, and browsers check where its answer leads.
    `form-action 'self' ${[...new Set([env.PROVIDER_ORIGIN, new URL(env.OIDC_ISSUER).origin])].join(' ')}`,
  ].join('; ')
  const styles = `style-src 'self' ${hashes(html, /<style[^>]*>([\s\S]*?)<\/style>/g)}`
  const policies: [string, string] = [policy, styles]
  if (policies.some((value) => `  Content-Security-Policy: ${value}`.length > LINE_MAX))
    throw new Stop('The content security policy is too long to be served. Name fewer or shorter origins.')
  return policies
}

function hashes(pages: readonly string[], pattern: RegExp): string {
  const found = pages.flatMap((page) =>
    [...page.matchAll(pattern)].map(([, inline = '']) => inline).filter((inline) => inline !== ''),
  )
  const unique = new Set(found.map((inline) => `'sha256-${createHash('sha256').update(inline).digest('base64')}'`))
  return [...unique].join(' ')
}
