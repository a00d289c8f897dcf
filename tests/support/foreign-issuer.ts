import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import { startSignIn } from './sign-in-walk.ts'
import type { Visitor } from './visitor.ts'

const FOREIGN_CLIENT = { id: 'a-portal', secret: 'a-secret-of-another-company' } as const
/** Subject with a character that no Porchlight id contains. */
export const FOREIGN_SUBJECT = 'directory|ann'
export const FOREIGN_EMAIL = 'ann@company.example'

/**
 * Options of a foreign issuer. Without `kind`, the issuer always issues refresh tokens, and has a user info endpoint
 * and an end-session endpoint.
 */
export interface ForeignIssuerOptions {
  /**
   * `strict`: issues refresh tokens only if the request asks for consent (OpenID Connect Core 11), and access tokens as
   * JWTs for one resource. `bare`: has no user info endpoint and no end-session endpoint.
   */
  readonly kind?: 'strict' | 'bare'
  /** True to announce the prompt `create` (OpenID Connect Prompt Create 1.0). */
  readonly announcesSignUp?: boolean
  /** Claims of the issuer's only account. */
  readonly accountClaims?: { readonly sub: string } & Readonly<Record<string, string>>
}

/**
 * OpenID Connect provider that is independent of Porchlight's. Runs in memory, largely with the defaults of the library
 * `oidc-provider`.
 */
export interface ForeignIssuer {
  readonly issuer: string
  readonly settings: Record<'OIDC_ISSUER' | 'OIDC_CLIENT_ID' | 'OIDC_CLIENT_SECRET' | 'OIDC_SCOPE', string>
  /** Requested paths, without queries. */
  readonly requestedPaths: string[]
  /**
   * Replaces later responses for `path` with incomplete JSON of 300 MiB (`endless`) or of a few bytes (`broken`). A
   * null path restores the normal responses.
   */
  breakResponses(path: string | null, fault?: 'endless' | 'broken'): void
  /** Returns the number of bytes of the last replaced response that the issuer has written to the connection. */
  readonly brokenResponseBytes: () => number
  /** Refreshes tokens outside the portal, as a thief of the refresh token would. */
  refresh(token: string): Promise<{ status: number; refresh_token?: string }>
  /** Issued refresh tokens, oldest first. */
  readonly refreshTokens: string[]
  close(): Promise<void>
}

export async function openForeignIssuer(
  portalOrigin: string,
  options: ForeignIssuerOptions = {},
): Promise<ForeignIssuer> {
  const { kind, announcesSignUp = false, accountClaims = { sub: FOREIGN_SUBJECT, email: FOREIGN_EMAIL } } = options
  const requestedPaths: string[] = []
  const refreshTokens: string[] = []
  let brokenResponse: { path: string | null; size: number } = { path: null, size: 0 }
  let writtenBytes = 0
  let provider: Provider | undefined = undefined
  const server = createServer((req, res) => {
    const path = (req.url ?? '').split('?')[0] ?? ''
    requestedPaths.push(path)
    if (path === brokenResponse.path)
      return streamTruncatedJson(res, brokenResponse.size, (bytes) => (writtenBytes = bytes))
    if (provider) void handleRequest(provider, accountClaims.sub, req, res)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  provider = new Provider(issuer, {
    ...createConfiguration(portalOrigin, kind, accountClaims),
    ...(announcesSignUp && { discovery: { prompt_values_supported: ['none', 'login', 'create'] } }),
  })
  provider.on('grant.success', (ctx) => {
    const { refresh_token: token } = ctx.body as { refresh_token?: string }
    if (token !== undefined) refreshTokens.push(token)
  })
  return {
    issuer,
    settings: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: FOREIGN_CLIENT.id,
      OIDC_CLIENT_SECRET: FOREIGN_CLIENT.secret,
      OIDC_SCOPE: 'openid email offline_access',
    },
    requestedPaths,
    refreshTokens,
    breakResponses: (path, fault = 'endless') =>
      (brokenResponse = { path, size: fault === 'endless' ? 300 * 1024 * 1024 : 0 }),
    brokenResponseBytes: () => writtenBytes,
    async refresh(token) {
      const basic = Buffer.from(`${FOREIGN_CLIENT.id}:${FOREIGN_CLIENT.secret}`).toString('base64')
      const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token })
      const response = await fetch(`${issuer}/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${basic}` },
        body,
      })
      return { status: response.status, ...((await response.json()) as { refresh_token?: string }) }
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const BODY_CHUNK = Buffer.alloc(64 * 1024, 'a')

/**
 * Streams an incomplete JSON response of `size` bytes with backpressure, then closes the connection. Reports the number
 * of written bytes to `reportBytes`.
 */
function streamTruncatedJson(res: ServerResponse, size: number, reportBytes: (bytes: number) => void): void {
  let bytes = 0
  const writeChunks = () => {
    while (bytes < size && !res.destroyed) {
      bytes += BODY_CHUNK.length
      reportBytes(bytes)
      if (!res.write(BODY_CHUNK)) return void res.once('drain', writeChunks)
    }
    res.destroy()
  }
  reportBytes(0)
  res.on('error', () => undefined)
  res.writeHead(200, { 'content-type': 'application/json' })
  res.write('{"access_token":"', writeChunks)
}

/** Resource (audience) of the access tokens that a `strict` issuer issues. */
export const TOKEN_RESOURCE = 'https://cameras.company.example'

function createConfiguration(
  portalOrigin: string,
  kind: ForeignIssuerOptions['kind'],
  accountClaims: Readonly<Record<string, string>>,
): ConstructorParameters<typeof Provider>[1] {
  return {
    clients: [
      {
        client_id: FOREIGN_CLIENT.id,
        client_secret: FOREIGN_CLIENT.secret,
        redirect_uris: [`${portalOrigin}/api/auth/callback`],
        ...(kind !== 'bare' && { post_logout_redirect_uris: [`${portalOrigin}/`] }),
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    claims: { openid: ['sub', 'user_id'], email: ['email'] },
    // `strict` and `bare` put all claims into the ID token; the default leaves them to the user info endpoint.
    conformIdTokenClaims: kind === undefined,
    scopes: ['openid', 'email', 'offline_access'],
    ...(kind !== 'strict' && { issueRefreshToken: () => Promise.resolve(true) }),
    rotateRefreshToken: true,
    findAccount: (_ctx, sub) => Promise.resolve({ accountId: sub, claims: () => ({ ...accountClaims, sub }) }),
    features: {
      devInteractions: { enabled: false },
      revocation: { enabled: true },
      userinfo: { enabled: kind !== 'bare' },
      rpInitiatedLogout: { enabled: kind !== 'bare' },
      resourceIndicators: {
        enabled: kind === 'strict',
        getResourceServerInfo: () => ({ scope: 'openid email', accessTokenFormat: 'jwt' as const }),
      },
    },
    interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
    cookies: { keys: ['a key'] },
  }
}

/**
 * Handles a request to the issuer. Instead of showing sign-in and consent pages, signs every visitor in to the issuer's
 * only account and grants consent.
 */
async function handleRequest(
  provider: Provider,
  sub: string,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  if (!(req.url ?? '').startsWith('/interaction/')) return void (await provider.callback()(req, res))
  const { params, session } = await provider.interactionDetails(req, res)
  const grant = new provider.Grant({ accountId: session?.accountId ?? sub, clientId: FOREIGN_CLIENT.id })
  grant.addOIDCScope(String(params['scope']))
  if (params['resource'] !== undefined) grant.addResourceScope(String(params['resource']), 'openid email')
  const result = { login: { accountId: sub }, consent: { grantId: await grant.save() } }
  await provider.interactionFinished(req, res, result, { mergeWithLastSubmission: false })
}

/** Starts a sign-in and follows the issuer's pages. Returns the response of the callback. */
export async function signInThroughForeignIssuer(visitor: Visitor, state = '/live'): Promise<Response> {
  let url = await startSignIn(visitor, state)
  while (url.origin !== visitor.portalOrigin) {
    const location = (await visitor.navigate(url.href)).headers.get('location')
    if (location === null) throw new Error(`The issuer stopped at ${url.pathname}.`)
    url = new URL(location, url)
  }
  return visitor.navigate(url.href)
}

/** Returns the account id that Porchlight derives for an account of a foreign issuer. */
export function deriveAccountId(issuer: string, sub: string): string {
  return `acct_${createHash('sha256')
    .update(JSON.stringify([issuer, sub]))
    .digest('hex')
    .slice(0, 40)}`
}
