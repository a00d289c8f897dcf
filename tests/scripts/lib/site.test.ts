import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeEnvironment, makeSecrets } from '../../../scripts/lib/secrets.ts'
import { makeSite } from '../../../scripts/lib/site.ts'

describe('served folder', () => {
  let folder: string
  const env = makeEnvironment(makeSecrets(), {
    portalOrigin: 'http://localhost:9000',
    providerOrigin: 'http://127.0.0.1:9001',
    buildId: 'abc1234',
  })
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'porchlight-site-'))
    mkdirSync(join(folder, 'built'))
    writeFileSync(
      join(folder, 'built/index.html'),
      '<style>p{}</style><script type="module">go()</script><script src="/a.js"></script>',
    )
    writeFileSync(join(folder, 'built/live.html'), '<!doctype html><html lang="en"></html>')
    makeSite(join(folder, 'built'), join(folder, 'site'), { ...env, ENVIRONMENT: 'preview' })
  })
  afterEach(() => rmSync(folder, { recursive: true }))
  const readSiteFile = (name: string) => readFileSync(join(folder, 'site', name), 'utf8')
  const hashSource = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

  test('the policy contains the hash of each inline script and style, and allows no other', () => {
    expect(readSiteFile('_headers')).toContain(`script-src 'self' ${hashSource('go()')};`)
    // Browsers enforce all policies together, so the second policy forbids the inline styles that the first one allows.
    expect(readSiteFile('_headers')).toContain(`\n  Content-Security-Policy: style-src 'self' ${hashSource('p{}')}\n`)
    const policies = readSiteFile('_headers')
      .match(/Content-Security-Policy: .*/g)
      ?.join('\n')
    expect(policies?.replace("; style-src 'self' 'unsafe-inline';", ';')).not.toMatch(/unsafe|\*/)
  })

  test('every file forbids sniffing, and only documents and SVG images have policies', () => {
    writeFileSync(join(folder, 'built/icon.svg'), '<svg/>')
    mkdirSync(join(folder, 'built/_astro'))
    for (const name of ['_astro/a.js', '_astro/a.css', 'photo.webp']) writeFileSync(join(folder, 'built', name), '')
    makeSite(join(folder, 'built'), join(folder, 'site'), env)
    const [everyFile = '', ...rules] = readSiteFile('_headers').trim().split('\n\n')
    expect(everyFile).toMatch(/^\/\*\n {2}X-Content-Type-Options: nosniff\n/)
    const plainTypes = rules
      .filter((rule) => rule.includes('  ! Content-Security-Policy'))
      .map((rule) => rule.split('\n')[0])
    expect(plainTypes).toEqual(['/*.css', '/*.js', '/*.json', '/*.webp'])
    expect(rules.join()).not.toContain('X-Content-Type-Options')
    expect(rules.at(-1)).toBe('/_astro/*\n  Cache-Control: public, max-age=31536000, immutable')
  })

  test('a policy whose line is too long to be served is reported', () => {
    const long = { ...env, PROVIDER_ORIGIN: `https://${'a'.repeat(400)}.example` }
    expect(() => makeSite(join(folder, 'built'), join(folder, 'site'), long)).toThrow('policy is too long')
  })

  test('the policy allows sockets and media of the provider of this run', () => {
    expect(readSiteFile('_headers')).toContain("connect-src 'self' http://127.0.0.1:9001 ws://127.0.0.1:9001;")
  })

  test('pages frame and call only the device collector host, by its full origin', () => {
    expect(readSiteFile('_headers')).toContain('; frame-src http://127.0.0.1:9001;')
    const preview = {
      ...env,
      PORTAL_ORIGIN: 'https://feature-a-b-portal.preview.example',
      PROVIDER_ORIGIN: 'https://feature-a-b-provider.preview.example',
      COLLECTOR_PROD_ORIGIN: 'https://feature-a-b-device.preview.example',
      COLLECTOR_TEST_ORIGIN: '',
      COLLECTOR_HOSTNAME: '',
      COLLECTOR_ENVIRONMENT: '',
    }
    const buildHeaders = (changes: Partial<typeof preview>) => {
      makeSite(join(folder, 'built'), join(folder, 'site'), { ...preview, ...changes })
      return readSiteFile('_headers')
    }
    const { COLLECTOR_PROD_ORIGIN: host } = preview
    expect(buildHeaders({})).toContain(`; frame-src ${host};`)
    expect(buildHeaders({})).toMatch(new RegExp(`connect-src 'self' [^;]+ ${host};`))
    expect(JSON.parse(readSiteFile('config.json'))).toMatchObject({
      collectorClientId: 'porchlight',
      collectorEnvironment: 'PROD',
      collectorProdOrigin: host,
      collectorTestOrigin: preview.PROVIDER_ORIGIN,
    })
    // `COLLECTOR_HOSTNAME` takes precedence over the collector origins.
    expect(buildHeaders({ COLLECTOR_HOSTNAME: 'device.example' })).toContain('; frame-src https://device.example;')
    expect(buildHeaders({ COLLECTOR_HOSTNAME: 'device.example' })).toMatch(
      /connect-src 'self' [^;]+ https:\/\/device\.example;/,
    )
    expect(JSON.parse(readSiteFile('config.json'))).toMatchObject({ collectorHostname: 'device.example' })
    // No frame is allowed if the collector is off, or if its origin is that of the portal in any spelling.
    for (const own of ['', '/', ':443'])
      expect(buildHeaders({ COLLECTOR_PROD_ORIGIN: preview.PORTAL_ORIGIN + own })).toContain("; frame-src 'none';")
    expect(buildHeaders({ COLLECTOR_TEST_ORIGIN: preview.PORTAL_ORIGIN })).toContain(`; frame-src ${host};`)
    expect(buildHeaders({ COLLECTOR_HOSTNAME: 'device-a.example' })).toContain("; frame-src 'none';")
    expect(buildHeaders({ COLLECTOR_ENVIRONMENT: 'off' })).toContain("; frame-src 'none';")
    expect(readSiteFile('_headers')).not.toContain(host)
  })

  test('pages that lead to sign-in contain the collector URL, whatever the client id', () => {
    mkdirSync(join(folder, 'built/user'))
    writeFileSync(join(folder, 'built/user/login.html'), '<html lang="en"><body class="a"></body></html>')
    const buildLoginPage = (changes: object) => {
      makeSite(join(folder, 'built'), join(folder, 'site'), { ...env, ...changes })
      return readSiteFile('user/login.html')
    }
    expect(buildLoginPage({})).toContain(
      '<body data-collector="http://127.0.0.1:9001/session/*?kddcgid=" data-client="porchlight" class="a">',
    )
    expect(buildLoginPage({ COLLECTOR_CLIENT_ID: '"><b>&' })).toContain('data-client="&quot;>&lt;b>&amp;"')
    expect(buildLoginPage({ COLLECTOR_ENVIRONMENT: 'off' })).toContain('<body class="a">')
  })

  test.each([
    ['Token-1', 'annual-first'],
    ['', ''],
  ])('ANALYTICS-01 EXPERIMENT-01 pages read the revenue token %j and the experiment %j', (token, experiment) => {
    makeSite(join(folder, 'built'), join(folder, 'site'), { ...env, REVENUE_TOKEN: token, EXPERIMENT: experiment })
    expect(JSON.parse(readSiteFile('config.json'))).toMatchObject({ revenueToken: token, experiment })
  })

  test('a form may target the sign-in providers: the provider of this run and the issuer of another company', () => {
    expect(readSiteFile('_headers')).toMatch(/form-action 'self' http:\/\/127\.0\.0\.1:9001$/m)
    makeSite(join(folder, 'built'), join(folder, 'site'), {
      ...env,
      OIDC_ISSUER: 'https://id.company.example/tenant/1',
    })
    expect(readSiteFile('_headers')).toMatch(
      /form-action 'self' http:\/\/127\.0\.0\.1:9001 https:\/\/id\.company\.example$/m,
    )
  })

  test('each document contains the environment of this run', () => {
    expect(readSiteFile('live.html')).toBe('<!doctype html><html data-environment="preview" lang="en"></html>')
  })

  test('config.json contains the origins of this run and no secret', () => {
    expect(JSON.parse(readSiteFile('config.json'))).toMatchObject({
      providerOrigin: 'http://127.0.0.1:9001',
      buildId: 'abc1234',
    })
    const secrets = Object.entries(env).filter(([name]) => /KEY|SECRET|SIGN|JWKS/.test(name))
    expect(secrets.filter(([, value]) => readSiteFile('config.json').includes(value))).toEqual([])
  })
})
