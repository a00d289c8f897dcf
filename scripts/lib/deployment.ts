import { basename } from 'node:path'
import * as v from 'valibot'
import { isForWorker, filterVariableNames, type WorkerName } from '../../contract/environment.ts'
import { isJurisdictionSetting } from '../../contract/jurisdiction.ts'
import { iceServersJson } from '../../contract/live/ice-servers.ts'
import { isHostname } from '../../contract/telemetry/device-collector-origin.ts'
import { emailAddress } from '../../contract/account/email-delivery.ts'
import { getDeploymentName, findNameProblem, type DeploymentNames } from './deployment-names.ts'
import type { RunEnvironment } from './secrets.ts'
import { findGatewayProblems, findGatewayWarnings } from './selling.ts'

export interface Deployment extends DeploymentNames {
  /** Name of the folder that holds the generated files of this deployment. */
  readonly name: string
  /** Id of the D1 database; null while it is unknown. */
  readonly databaseId: string | null
  readonly env: RunEnvironment & Readonly<Record<string, string>>
  /** Name of the Worker Preview; null in production. */
  readonly preview: string | null
}

/** The provider is first, because new portal code may make calls that only the new provider supports. */
export const WORKERS = ['provider', 'portal'] as const satisfies readonly WorkerName[]

const SECRET_NAMES: readonly string[] = filterVariableNames((row) => row.secret === true)
const REQUIRED_SECRETS = filterVariableNames((row) => row.secret === true && !row.optional)
const REQUIRED_VARS = filterVariableNames((row) => !row.secret && !row.optional && !row.derived)
const SECRET_MIN_LENGTH = 32

/**
 * Returns the variables that are not secret, for both Workers. `TRUST_PROXY` is 1, because Cloudflare provides the
 * visitor's IP address.
 */
export function selectPublicVars({ env }: Deployment): Record<string, string> {
  const publicVars = Object.fromEntries(Object.entries(env).filter(([name]) => !SECRET_NAMES.includes(name)))
  return { ...publicVars, TRUST_PROXY: '1' }
}

export function selectSecrets({ env }: Deployment, worker: WorkerName): Record<string, string> {
  const names: readonly string[] = filterVariableNames((row) => row.secret === true && isForWorker(worker)(row))
  return Object.fromEntries(Object.entries(env).filter(([name]) => names.includes(name)))
}

/** Extension of environment files. Git ignores these files, except examples (.gitignore). */
export const ENV_EXTENSION = '.env'
const GIT_IGNORED_FILE_PATTERN = /^(?!(?:.*\.)?example\.).+\.env$/

/** Returns the reason why the file `file` must not contain secrets; null if secrets are allowed there. */
export const findFileProblem = (file: string): string | null =>
  GIT_IGNORED_FILE_PATTERN.test(basename(file))
    ? null
    : `${file} would contain secrets, but Git doesn't ignore this file. Choose another name that ends with .env.`

const isLoopback = (host: string) => ['localhost', '127.0.0.1', '[::1]'].includes(host)

/**
 * Returns the reasons why this environment cannot be deployed to production, one sentence each (OPEN-57). `file`: file
 * that contains the environment.
 */
export function findProblems(env: Partial<Record<string, string>>, file: string): string[] {
  const missing = [...REQUIRED_VARS, ...REQUIRED_SECRETS].filter((name) => !env[name])
  const problems = missing.map((name) => `${name} is missing from ${file}.`)
  for (const name of REQUIRED_SECRETS) {
    const value = env[name] ?? ''
    if (value !== '' && value.length < SECRET_MIN_LENGTH)
      problems.push(`${name} in ${file} is shorter than 32 characters.`)
  }
  for (const name of ['PORTAL_ORIGIN', 'PROVIDER_ORIGIN', 'PAYMENT_ORIGIN'] as const) {
    const problem = env[name] ? findOriginProblem(env[name]) : null
    if (problem !== null) problems.push(`${name} in ${file} ${problem}`)
  }
  if (env['PORTAL_ORIGIN'] && env['PORTAL_ORIGIN'] === env['PROVIDER_ORIGIN'])
    problems.push('PORTAL_ORIGIN and PROVIDER_ORIGIN are the same. Each Worker needs its own host.')
  if (env['PAYMENT_ORIGIN'] && [env['PORTAL_ORIGIN'], env['PROVIDER_ORIGIN']].includes(env['PAYMENT_ORIGIN']))
    problems.push('PAYMENT_ORIGIN is the origin of another Worker. The card page needs its own host.')
  if (!isJurisdictionSetting(env['JURISDICTION']))
    problems.push(`JURISDICTION in ${file} isn't a supported jurisdiction. Set JURISDICTION=eu, or remove it.`)
  const misnamed = findNameProblem(getDeploymentName(env))
  if (misnamed !== null) problems.push(`DEPLOYMENT_NAME in ${file} ${misnamed}`)
  problems.push(...findGatewayProblems(env, file), ...findCollectorProblems(env, file))
  if (env['DEMO'] === '1')
    problems.push(`DEMO is 1 in ${file}, but the passwords of demo accounts are public. Remove DEMO.`)
  if (env['ICE_SERVERS'] && !v.is(iceServersJson, env['ICE_SERVERS']))
    problems.push(
      `ICE_SERVERS in ${file} isn't a JSON array of {"urls": ["turn:…"], "username": "…", "credential": "…"}.`,
    )
  problems.push(...findMailProblems(env, file))
  const publicHosts = listHosts(env).filter((host) => !isLoopback(host))
  if (env['ENVIRONMENT'] === 'beta' && publicHosts.length > 0)
    problems.push(
      `ENVIRONMENT in ${file} is still beta, but this deployment serves ${publicHosts.join(', ')}. Set ENVIRONMENT=production.`,
    )
  return problems
}

function findCollectorProblems(env: Partial<Record<string, string>>, file: string): string[] {
  const problems: string[] = []
  for (const name of ['COLLECTOR_TEST_ORIGIN', 'COLLECTOR_PROD_ORIGIN']) {
    const problem = env[name] ? findOriginProblem(env[name]) : null
    if (problem !== null) problems.push(`${name} in ${file} ${problem}`)
  }
  const { COLLECTOR_HOSTNAME: hostname } = env
  if (hostname && !isHostname(hostname))
    problems.push(`COLLECTOR_HOSTNAME in ${file} can contain only letters, digits, and dots.`)
  return problems
}

/** Returns problems of the email settings. These settings are optional: without them, the deployment sends no email. */
function findMailProblems(env: Partial<Record<string, string>>, file: string): string[] {
  const { MAIL_API_URL: url, MAIL_API_KEY: key, MAIL_FROM: from, SMTP_URL: smtp } = env
  const problems: string[] = []
  if (smtp) problems.push(`SMTP_URL in ${file} only works with npm start. Set MAIL_API_URL for a Worker.`)
  if (url && (!URL.canParse(url) || new URL(url).protocol !== 'https:'))
    problems.push(`MAIL_API_URL in ${file} isn't an https URL.`)
  if (url && !key) problems.push(`MAIL_API_KEY is missing from ${file}. MAIL_API_URL requires this key.`)
  if (url && !from) problems.push(`MAIL_FROM is missing from ${file}. Mail servers reject unknown senders.`)
  if (from && !v.is(emailAddress, from))
    problems.push(`MAIL_FROM in ${file} must be a single email address without a name.`)
  return problems
}

/** Returns warnings about settings that work but may not be intended. */
export function findWarnings(env: Partial<Record<string, string>>): string[] {
  // The portal treats every host whose name contains `local` as local (OPEN-111).
  const localHostWarnings = listHosts(env)
    .filter((host) => host.includes('local'))
    .map(
      (host) =>
        `The hostname ${host} contains "local", which turns off error reports and allows redirects to plain http.`,
    )
  return [...localHostWarnings, ...findGatewayWarnings(env)]
}

function listHosts(env: Partial<Record<string, string>>): string[] {
  const urls = Object.entries(env)
    .filter(([name]) => /^(PORTAL_ORIGIN|PROVIDER_ORIGIN|PAYMENT_ORIGIN|OIDC_ISSUER|HOST_[A-Z0-9_]+)$/.test(name))
    .map(([, value = '']) => value)
  return [...new Set(urls.filter((url) => URL.canParse(url)).map((url) => new URL(url).hostname))]
}

function findOriginProblem(value: string): string | null {
  if (!URL.canParse(value) || new URL(value).origin !== value) return `isn't an origin such as https://cam.example.com.`
  const { protocol, hostname, port } = new URL(value)
  if (isLoopback(hostname)) return 'points to this computer, which only works with npm start.'
  if (protocol !== 'https:') return "isn't https."
  return port === '' ? null : 'contains a port, but Cloudflare only serves the default port.'
}
