import { generateKeyPairSync, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** One HTTP response of the issuer; an object is sent as JSON. */
export interface ScriptedResponse {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: object | string
}

export interface IssuerScript {
  /** Path of the issuer; the root by default. */
  readonly path?: string
  /** Returns the issuer identifier in the discovery document and in ID tokens. `issuer`: the real URL. */
  readonly formatIssuer?: (issuer: string) => string
  /** Additions to the discovery document; undefined removes an entry. */
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly discovery?: ScriptedResponse
  readonly idToken?: Readonly<Record<string, unknown>>
  /** Additions to the token response; undefined removes an entry. */
  readonly token?: Readonly<Record<string, unknown>>
  readonly userInfo?: ScriptedResponse
}

/** Subject of the only account of a scripted issuer. */
export const ISSUER_SUBJECT = 'a1b2c3'
export const ISSUER_CLIENT_ID = 'a-portal'
/** Refresh token in every token response. Tests also put it into error responses, and no log may contain it. */
export const REFRESH_TOKEN = 'rt-0123456789abcdef'

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const encodeBase64UrlJson = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Returns a JWT signed with ES256, as a user info endpoint may return one. */
export function createSignedJwt(claims: object): string {
  const content = `${encodeBase64UrlJson({ alg: 'ES256', typ: 'JWT' })}.${encodeBase64UrlJson(claims)}`
  const signature = sign('sha256', Buffer.from(content), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `${content}.${signature.toString('base64url')}`
}

/**
 * OIDC issuer with scripted responses, for behavior that no library provides. It uses the authorization code as the
 * nonce of the ID token.
 */
export interface ScriptedIssuer {
  readonly issuer: string
  /** Requested paths, relative to the issuer's path. */
  readonly requestedPaths: string[]
  /** Sets the response to every later token refresh. With null, token refreshes succeed. */
  setRefreshResponse(answer: ScriptedResponse | null): void
  close(): Promise<void>
}

const openIssuers = new Set<ScriptedIssuer>()

export const closeScriptedIssuers = () => Promise.all([...openIssuers].map((issuer) => issuer.close()))

export async function openScriptedIssuer(script: IssuerScript = {}): Promise<ScriptedIssuer> {
  const { path = '', formatIssuer = (issuer: string) => issuer } = script
  const requestedPaths: string[] = []
  let refreshResponse: ScriptedResponse | null = null
  const server = createServer((req, res) => void serve(req, res))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const requestPath = (req.url ?? '').slice(path.length)
    requestedPaths.push(requestPath)
    const form = new URLSearchParams(await text(req))
    const isRefresh = form.get('grant_type') === 'refresh_token'
    const answers: Record<string, ScriptedResponse> = {
      '/.well-known/openid-configuration': script.discovery ?? {
        body: buildDiscoveryDocument(issuer, formatIssuer(issuer), script),
      },
      '/token': (isRefresh && refreshResponse) || {
        body: createTokens(formatIssuer(issuer), form.get('code'), script),
      },
      '/userinfo': script.userInfo ?? { body: { sub: ISSUER_SUBJECT } },
      '/revoke': { body: '' },
    }
    sendResponse(res, answers[requestPath] ?? { status: 404, body: 'nothing here' })
  }
  const scriptedIssuer: ScriptedIssuer = {
    issuer,
    requestedPaths,
    setRefreshResponse: (answer) => (refreshResponse = answer),
    async close() {
      openIssuers.delete(scriptedIssuer)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  openIssuers.add(scriptedIssuer)
  return scriptedIssuer
}

function sendResponse(res: ServerResponse, { status = 200, headers = {}, body }: ScriptedResponse): void {
  const isText = typeof body === 'string'
  res.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers })
  res.end(isText ? body : JSON.stringify(body))
}

const buildDiscoveryDocument = (base: string, issuer: string, { metadata }: IssuerScript) => ({
  issuer,
  authorization_endpoint: `${base}/authorize`,
  token_endpoint: `${base}/token`,
  jwks_uri: `${base}/keys`,
  userinfo_endpoint: `${base}/userinfo`,
  revocation_endpoint: `${base}/revoke`,
  response_types_supported: ['code'],
  id_token_signing_alg_values_supported: ['ES256'],
  ...metadata,
})

function createTokens(iss: string, nonce: string | null, { idToken, token }: IssuerScript): object {
  const now = Math.floor(Date.now() / 1000)
  const claims = {
    iss,
    aud: ISSUER_CLIENT_ID,
    sub: ISSUER_SUBJECT,
    iat: now,
    exp: now + 3600,
    ...(nonce !== null && { nonce }),
  }
  return {
    access_token: 'at-1',
    token_type: 'Bearer',
    expires_in: 3600,
    refresh_token: REFRESH_TOKEN,
    id_token: createSignedJwt({ ...claims, ...idToken }),
    ...token,
  }
}
