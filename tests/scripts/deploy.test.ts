import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  findFileProblem,
  findProblems,
  selectSecrets,
  selectPublicVars,
  findWarnings,
  type Deployment,
} from '../../scripts/lib/deployment.ts'
import { openCloudflare } from '../../scripts/lib/cloudflare.ts'
import { requireUnusedNames } from '../../scripts/lib/deployed-names.ts'
import { deriveDeploymentNames } from '../../scripts/lib/deployment-names.ts'
import { formatBranchSlug, derivePreviewNames } from '../../scripts/lib/preview-names.ts'
import { readEnvironment } from '../../scripts/lib/secrets-file.ts'
import {
  NOT_FOUND_RESPONSE,
  OK_RESPONSE,
  openCloudflareApi,
  type CloudflareResponse,
  type CloudflareApi,
} from '../support/cloudflare-api.ts'

const root = new URL('../..', import.meta.url).pathname
const ORIGINS = ['https://cam.example.com', 'https://cam-id.example.com']
let folder: string
let envFile: string
let env: Partial<Record<string, string>>

function runScript(script: 'deploy' | 'preview', ...args: string[]) {
  const done = spawnSync(process.execPath, [`scripts/${script}.ts`, ...args], { cwd: root, encoding: 'utf8' })
  return { ok: done.status === 0, output: done.stdout, errorOutput: done.stderr }
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'porchlight-deploy-'))
  envFile = join(folder, 'production.env')
  expect(runScript('deploy', '--env', envFile, '--init', ...ORIGINS)).toMatchObject({ ok: true })
  env = readEnvironment(envFile)
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('the environment file of a deployment', () => {
  test('is created once, is readable only by its owner, and passes its own check', () => {
    expect(statSync(envFile).mode & 0o777).toBe(0o600)
    expect(findProblems(env, envFile)).toEqual([])
    const again = runScript('deploy', '--env', envFile, '--init', ...ORIGINS)
    expect([again.ok, again.errorOutput]).toEqual([false, expect.stringContaining('Nothing was changed')])
  })

  test('is ignored by git under every name that --init accepts', () => {
    const ignored = ['production.env', 'b.env', 'deploy/b.env', 'b.env.4711']
    const tracked = ['example.env', 'deploy/b.example.env', '.env.example', 'environment.ts']
    const { stdout } = spawnSync('git', ['check-ignore', '--no-index', ...ignored, ...tracked], { cwd: root })
    expect(stdout.toString().trim().split('\n')).toEqual(ignored)
    expect(['production.env', 'b.env', 'deploy/b.env'].map(findFileProblem)).toEqual([null, null, null])
    for (const name of ['secrets.txt', 'b.env.txt', '.env.example', 'example.env', 'deploy/b.example.env'])
      expect(findFileProblem(name)).toContain(`${name} would contain secrets`)
  })

  test.each([
    ['a secret is missing', { COOKIE_KEY: '' }, 'COOKIE_KEY is missing'],
    ['a secret is short', { ADMIN_KEY: 'short' }, 'ADMIN_KEY in x.env is shorter'],
    ['ICE servers are malformed', { ICE_SERVERS: '[{"urls":"turn:a"}]' }, "ICE_SERVERS in x.env isn't a JSON array"],
    ['an origin is missing', { PROVIDER_ORIGIN: '' }, 'PROVIDER_ORIGIN is missing'],
    ['an origin is plain http', { PORTAL_ORIGIN: 'http://cam.example.com' }, "isn't https"],
    ['an origin is on this machine', { PORTAL_ORIGIN: 'https://localhost:8787' }, 'points to this computer'],
    ['an origin has a path', { PORTAL_ORIGIN: 'https://cam.example.com/' }, "isn't an origin"],
    ['both origins are the same', { PORTAL_ORIGIN: ORIGINS[1] ?? '' }, 'are the same'],
    ['the card page shares the host of the provider', { PAYMENT_ORIGIN: ORIGINS[1] ?? '' }, 'needs its own host'],
    [
      'the card page is plain http',
      { PAYMENT_ORIGIN: 'http://pay.example.com' },
      "PAYMENT_ORIGIN in x.env isn't https",
    ],
    [
      'the device collector has a path',
      { COLLECTOR_PROD_ORIGIN: 'https://device.example.com/' },
      "COLLECTOR_PROD_ORIGIN in x.env isn't an origin",
    ],
    ['the device collector is plain http', { COLLECTOR_TEST_ORIGIN: 'http://a.example' }, "isn't https"],
    [
      'the device collector hostname contains a hyphen',
      { COLLECTOR_HOSTNAME: 'a-b.example' },
      'only letters, digits, and dots',
    ],
    ['the payment gateway accepts only test cards', { BILLING_GATEWAY: 'embedded' }, 'accepts only test cards'],
    ['Stripe has no key', { BILLING_GATEWAY: 'stripe' }, 'is stripe, but STRIPE_SECRET_KEY is missing'],
    [
      "redirects to Stripe's page are not allowed",
      { BILLING_GATEWAY: 'stripe', STRIPE_SECRET_KEY: 'sk_live_x' },
      'Set PAYMENT_DOMAIN=checkout.stripe.com',
    ],
    [
      'the Stripe API has another origin',
      { BILLING_GATEWAY: 'stripe', STRIPE_API_ORIGIN: 'http://a.example' },
      'is only for tests',
    ],
    ['email would go over SMTP', { SMTP_URL: 'smtp://mail.example.com' }, 'only works with npm start'],
    ['the email API is plain http', { MAIL_API_URL: 'http://api.example.com' }, "isn't an https URL"],
    ['the email API has no key', { MAIL_API_URL: 'https://api.example.com' }, 'MAIL_API_KEY is missing'],
    ['the email sender is missing', { MAIL_API_URL: 'https://api.example.com' }, 'MAIL_FROM is missing'],
    [
      'the email sender is two addresses',
      { MAIL_FROM: 'a@example.com, b@example.com' },
      'must be a single email address',
    ],
    [
      'the jurisdiction is unknown',
      { JURISDICTION: 'fedramp' },
      "JURISDICTION in x.env isn't a supported jurisdiction",
    ],
    ['the deployment name has a hyphen', { DEPLOYMENT_NAME: 'porchlight-main' }, "DEPLOYMENT_NAME in x.env isn't"],
    ['the deployment name is too long', { DEPLOYMENT_NAME: 'a'.repeat(31) }, "DEPLOYMENT_NAME in x.env isn't"],
    ['demo accounts are enabled', { DEMO: '1' }, 'demo accounts are public'],
    ['ENVIRONMENT is still beta for foreign hosts', { ENVIRONMENT: 'beta' }, 'is still beta'],
    [
      'ENVIRONMENT is still beta for a foreign endpoint',
      { ENVIRONMENT: 'beta', HOST_V4_EVENT: 'https://api.vendor.example' },
      'api.vendor.example',
    ],
  ])('is rejected when %s', (_, change, sentence) => {
    expect(findProblems({ ...env, ...change }, 'x.env').join('\n')).toContain(sentence)
  })

  test('warns about a name that contains local', () => {
    expect(findWarnings({ ...env, PORTAL_ORIGIN: 'https://cam.localcompany.example' })).toHaveLength(1)
    expect(findWarnings(env)).toEqual([])
  })

  test('may enable Stripe, and warns about the parts of it that are not live', () => {
    const live = { BILLING_GATEWAY: 'stripe', STRIPE_SECRET_KEY: 'sk_live_x', STRIPE_WEBHOOK_SECRET: 'whsec_x' }
    const stripeEnv = { ...env, ...live, PAYMENT_DOMAIN: 'checkout.stripe.com' }
    expect([findProblems(stripeEnv, 'x.env'), findWarnings(stripeEnv)]).toEqual([[], []])
    const test = findWarnings({ ...stripeEnv, STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_WEBHOOK_SECRET: '' }).join('\n')
    expect(test).toMatch(/test-mode key.*\n.*STRIPE_WEBHOOK_SECRET is missing/)
    const deployment = { env: stripeEnv } as unknown as Deployment
    expect(selectSecrets(deployment, 'provider')).toMatchObject({ STRIPE_SECRET_KEY: 'sk_live_x' })
    expect(selectSecrets(deployment, 'portal')).not.toHaveProperty('STRIPE_SECRET_KEY')
    expect(JSON.stringify(selectPublicVars(deployment))).not.toContain('sk_live_x')
  })

  test('gives each Worker only its own secrets and makes none of them public', () => {
    const deployment = { env } as Deployment
    const [portal, provider] = [selectSecrets(deployment, 'portal'), selectSecrets(deployment, 'provider')]
    expect(portal).not.toHaveProperty('ADMIN_KEY')
    expect(portal).not.toHaveProperty('PROVIDER_JWKS')
    expect(provider).not.toHaveProperty('COOKIE_KEY')
    const publicVars = JSON.stringify(selectPublicVars(deployment))
    for (const secret of Object.values({ ...portal, ...provider })) expect(publicVars).not.toContain(secret)
  })
})

describe('the names of a deployment', () => {
  const [portal, provider] = ORIGINS.map((origin) => new URL(origin).hostname)
  const DOMAINS_REQUEST = 'GET /workers/domains'
  const buildDomainsResponse = (...domains: [hostname: string | undefined, service: string][]): CloudflareResponse => ({
    status: 200,
    result: domains.map(([hostname, service]) => ({ hostname, service, id: 'd1' })),
  })
  let api: CloudflareApi
  beforeAll(async () => {
    api = await openCloudflareApi()
  })
  afterAll(() => api.close())

  /** Returns the reason why `name` may not be deployed to the origins in `ORIGINS`; null if it may. */
  async function findNameRefusal(
    name: string,
    domains: CloudflareResponse,
    database: CloudflareResponse = OK_RESPONSE,
  ): Promise<string | null> {
    api.setResponses(DOMAINS_REQUEST, domains)
    api.setResponses(`GET /d1/database/${name}`, database)
    const cloudflare = await openCloudflare(root, api.env)
    const made = requireUnusedNames(cloudflare, { env: { ...env, DEPLOYMENT_NAME: name }, file: 'b.env' })
    return made.then(
      () => null,
      (error: Error) => error.message,
    )
  }

  test('come from its environment, so that two deployments in one account share nothing', () => {
    expect(deriveDeploymentNames('porchlight')).toEqual({
      workers: { portal: 'porchlight-portal', provider: 'porchlight-provider' },
      database: 'porchlight',
      bucket: 'porchlight-media',
    })
    const [first, second] = ['porchlight', 'acme']
      .map(deriveDeploymentNames)
      .map(({ workers, ...stores }) => ({ ...workers, ...stores }))
    expect(Object.values(first ?? {}).filter((name) => Object.values(second ?? {}).includes(name))).toEqual([])
    // A preview of the branch `acme` must not use the database of a deployment with the name `porchlightacme`.
    expect(derivePreviewNames('acme', 'somebody').database).not.toBe(deriveDeploymentNames('porchlightacme').database)
  })

  test('are accepted if they are free or already its own', async () => {
    expect(await findNameRefusal('acme', buildDomainsResponse(), NOT_FOUND_RESPONSE)).toBeNull()
    expect(
      await findNameRefusal(
        'acme',
        buildDomainsResponse(['other.example.com', 'porchlight-portal']),
        NOT_FOUND_RESPONSE,
      ),
    ).toBeNull()
    const own = buildDomainsResponse(
      [portal, 'acme-portal'],
      [provider, 'acme-provider'],
      ['www.example.com', 'acme-portal'],
    )
    expect(await findNameRefusal('acme', own)).toBeNull()
  })

  test('are rejected if they would give an existing deployment a second database', async () => {
    const before = buildDomainsResponse([portal, 'porchlight-portal'], [provider, 'porchlight-provider'])
    const message = await findNameRefusal('acme', before, NOT_FOUND_RESPONSE)
    expect(message).toMatch(/^Nothing was deployed\. cam-id\.example\.com .*porchlight-provider.* new, empty database/)
    expect(message).toContain('DEPLOYMENT_NAME=porchlight in b.env')
    expect(await findNameRefusal('acme', buildDomainsResponse([portal, 'shop']), NOT_FOUND_RESPONSE)).toMatch(
      /the Worker shop.*[Rr]emove/,
    )
    const lost = await findNameRefusal(
      'acme',
      buildDomainsResponse([portal, 'acme-portal'], [provider, 'acme-provider']),
      NOT_FOUND_RESPONSE,
    )
    expect(lost).toMatch(/has no D1 database acme.*npx wrangler d1 create acme/)
  })

  test('are rejected if they belong to another deployment', async () => {
    const others = buildDomainsResponse(
      ['a.example.com', 'porchlight-portal'],
      ['a-id.example.com', 'porchlight-provider'],
    )
    const message = await findNameRefusal('porchlight', others)
    expect(message).toMatch(/^Nothing was deployed\. .*porchlight-provider already serves a-id\.example\.com/)
    expect(message).toMatch(/set a different DEPLOYMENT_NAME in b\.env/)
  })

  test('are checked before anything is built or uploaded', async () => {
    const before = api.requests.length
    api.setResponses(DOMAINS_REQUEST, buildDomainsResponse([provider, 'shop-provider']))
    const child = spawn(process.execPath, ['scripts/deploy.ts', '--env', envFile], {
      cwd: root,
      env: { ...process.env, ...api.env },
    })
    const [output, errorOutput] = await Promise.all([text(child.stdout), text(child.stderr)])
    expect(errorOutput).toMatch(/^Nothing was deployed\. cam-id\.example\.com .*DEPLOYMENT_NAME=shop in /)
    expect([output, api.requests.slice(before)]).toEqual([expect.not.stringContaining('uild'), [DOMAINS_REQUEST]])
  })

  test('are not assumed to be free if Cloudflare returns an error', async () => {
    expect(await findNameRefusal('acme', { status: 403, code: 10_000 })).toMatch(/can't be read.*10000/)
    const own = buildDomainsResponse([portal, 'acme-portal'], [provider, 'acme-provider'])
    expect(await findNameRefusal('acme', own, { status: 500, code: 7500 })).toMatch(/can't be read.*7500/)
  })
})

describe('npm run deploy', () => {
  test('fails without an environment file, with a message and no stack trace', () => {
    const { ok, errorOutput } = runScript('deploy', '--env', join(folder, 'nothing.env'))
    expect(ok).toBe(false)
    expect(errorOutput).toMatch(/Nothing was deployed\. .*--init/)
    expect(errorOutput).not.toMatch(/^ +at /m)
  })
})

describe('npm run preview', () => {
  test.each(['porchlight', 'a'.repeat(30)])(
    'of %s gives every branch a distinct name that fits into a hostname',
    (name) => {
      const branches = ['main', 'a/b', 'a-b', 'A-b', 'a_b', 'ä', 'ö', '---', 'x'.repeat(200), 'x'.repeat(201)]
      expect(new Set(branches.map((branch) => formatBranchSlug(branch))).size).toBe(branches.length)
      expect(new Set(branches.map((branch) => derivePreviewNames(branch, 'somebody', name).preview)).size).toBe(
        branches.length,
      )
      for (const branch of branches) {
        const { portalOrigin, providerOrigin, bucket } = derivePreviewNames(branch, 'somebody', name)
        for (const origin of [portalOrigin, providerOrigin]) {
          const [label = ''] = new URL(origin).hostname.split('.')
          expect(label).toMatch(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/)
        }
        expect(bucket).toMatch(/^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/)
      }
    },
  )
})
