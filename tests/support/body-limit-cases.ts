import { userLogin } from '../../contract/auth/user-calls.ts'
import { BODY_BYTES_MAX } from '../../contract/wire/body-limits.ts'
import { CALLS, GATEWAY_CALLS } from '../../contract/all-calls.ts'
import { fillPath, formatGatewayPath, hasQueryPayload, type Call } from '../../contract/wire/call.ts'
import { XSRF_COOKIE, XSRF_HEADER } from '../../contract/wire/constants.ts'
import { ENDPOINT_GROUPS } from '../../contract/wire/endpoint-groups.ts'
import { toHonoRoute } from '../../provider/platform/http/serve-call.ts'
import type { Neighborhood } from './home.ts'
import { buildTokenHeader } from './provider.ts'
import type { Visitor } from './visitor.ts'

export const JSON_HEADERS = { 'content-type': 'application/json' }
export const FORM_HEADERS = { 'content-type': 'application/x-www-form-urlencoded' }

type HeaderRecord = Record<string, string>
/** State that the cases need at request time. `uploadGrant`: query string of a granted upload of 1000 bytes. */
export interface BodyLimitContext {
  readonly neighborhood: Neighborhood
  readonly visitor: Visitor
  readonly uploadGrant: string
}
/**
 * One request with a body. `max`: body limit in bytes; the server rejects larger bodies with 413. A null `max` means
 * that the server responds with `status`, because it reads no body or requires the length of the body in advance.
 */
interface BodyLimitCase {
  readonly method: string
  readonly path: string
  readonly query?: (context: BodyLimitContext) => string
  readonly headers: (context: BodyLimitContext) => HeaderRecord
  readonly maxBytes: number | null
  readonly status?: number
  /** Pattern that the body of the error response matches. */
  readonly errorPattern?: RegExp
}
type BodyLimitCases = Readonly<Record<string, readonly BodyLimitCase[]>>

const formatCookies = (visitor: Visitor) =>
  [...(visitor.cookies.get(visitor.portalOrigin) ?? [])].map((pair) => pair.join('=')).join('; ')
const formatXsrfCookie = (visitor: Visitor) => `${XSRF_COOKIE}=${visitor.getCookie(XSRF_COOKIE) ?? ''}`
const createPageHeaders = ({ visitor }: BodyLimitContext, type = JSON_HEADERS) => ({
  ...type,
  cookie: formatCookies(visitor),
  origin: visitor.portalOrigin,
  'sec-fetch-site': 'same-origin',
  [XSRF_HEADER]: visitor.getCookie(XSRF_COOKIE) ?? '',
})
const createAdminHeaders = ({ neighborhood }: BodyLimitContext) => ({
  ...JSON_HEADERS,
  authorization: `Admin ${neighborhood.stage.env.ADMIN_KEY}`,
})
const createPlainHeaders = (type: HeaderRecord) => () => type
const createBridgeHeaders = ({ neighborhood }: BodyLimitContext, method: string, path: string) => ({
  ...JSON_HEADERS,
  ...neighborhood.a.bridge.headers(method, path),
})
/**
 * Headers of an earlier bridge version, which sends no body digest. The provider limits the body of such a request to
 * `BODY_BYTES_MAX.call`.
 */
const createEarlierBridgeHeaders = (context: BodyLimitContext) => ({
  ...createBridgeHeaders(context, 'POST', '/'),
  'content-digest': '',
})

const fillPlaceholders = (path: string, uuid: string) =>
  Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, name === 'uuid' ? uuid : 'x']))
const hasRequestBody = ({ method, request }: Call) => request !== null && !hasQueryPayload(method)

export const API_ERROR_PATTERN = /^\{"code":413,"msg":"[A-Z].+\."\}$/
const OAUTH_ERROR_PATTERN = /^\{"error":"invalid_request","error_description":"[A-Z].+\."\}$/
export const ERROR_PAGE_PATTERN = /^<!doctype html>[\s\S]*too long/i

const createPostCase = (path: string, rest: Omit<BodyLimitCase, 'method' | 'path'>): BodyLimitCase => ({
  method: 'POST',
  path,
  ...rest,
})

const createPageCase = (path: string, maxBytes: number): BodyLimitCase =>
  createPostCase(path, { headers: createPageHeaders, maxBytes, errorPattern: API_ERROR_PATTERN })

export const EDGE_BODY_LIMIT_CASES: BodyLimitCases = {
  'POST /api/auth/authorize': [
    createPageCase('/api/auth/authorize', BODY_BYTES_MAX.session),
    createPostCase('/api/auth/authorize', {
      headers: (context) => createPageHeaders(context, FORM_HEADERS),
      maxBytes: BODY_BYTES_MAX.session,
      errorPattern: /^<!doctype html>[\s\S]*too large/i,
    }),
  ],
  'POST /api/auth/refresh': [createPageCase('/api/auth/refresh', BODY_BYTES_MAX.session)],
  'POST /api/auth/logout': [
    createPostCase('/api/auth/logout', {
      headers: (context) => ({ ...createPageHeaders(context), cookie: formatXsrfCookie(context.visitor) }),
      maxBytes: null,
      status: 200,
    }),
  ],
  'POST /api/auth/sessions/end': [createPageCase('/api/auth/sessions/end', BODY_BYTES_MAX.session)],
  'POST /api/payment/start': [createPageCase('/api/payment/start', BODY_BYTES_MAX.session)],
  'POST /api/payment/return': [createPageCase('/api/payment/return', BODY_BYTES_MAX.session)],
  'POST /t/errors': [createPageCase('/t/errors', BODY_BYTES_MAX.report)],
  'POST /t/events': [createPageCase('/t/events', BODY_BYTES_MAX.events)],
  'POST /t/revenue': [createPageCase('/t/revenue', BODY_BYTES_MAX.revenue)],
  'ALL /api/p/:group/*': GATEWAY_CALLS.filter(hasRequestBody).map((call) => ({
    method: call.method,
    path: formatGatewayPath(call, fillPlaceholders(call.path, 'uuid')),
    headers: createPageHeaders,
    maxBytes: BODY_BYTES_MAX.call,
    errorPattern: API_ERROR_PATTERN,
  })),
}

const PROVIDER_CALL_BODY_LIMIT_CASES: BodyLimitCases = Object.fromEntries(
  CALLS.filter((call) => hasRequestBody(call) && call !== userLogin && call.via !== 'collector').map((call) => [
    `${call.method} ${toHonoRoute(call.path).path}`,
    [
      {
        method: call.method,
        path: fillPath(call.path, fillPlaceholders(call.path, 'x')),
        headers: ({ neighborhood }) => ({
          ...JSON_HEADERS,
          ...buildTokenHeader(ENDPOINT_GROUPS[call.group].tokenHeader, neighborhood.a.token),
        }),
        maxBytes: BODY_BYTES_MAX.call,
        errorPattern: API_ERROR_PATTERN,
      },
    ],
  ]),
)

const createOidcCase = (path: string, maxBytes: number, errorPattern: RegExp, type = FORM_HEADERS): [BodyLimitCase] => [
  createPostCase(path, { headers: createPlainHeaders(type), maxBytes, errorPattern }),
]
const createOperatorCase = (method: string, path: string, status?: number): [BodyLimitCase] => [
  {
    method,
    path,
    headers: createAdminHeaders,
    ...(status === undefined
      ? { maxBytes: BODY_BYTES_MAX.call, errorPattern: API_ERROR_PATTERN }
      : { maxBytes: null, status }),
  },
]
const createBridgeCase = (method: string, path: string): [BodyLimitCase] => [
  { method, path, headers: createEarlierBridgeHeaders, maxBytes: BODY_BYTES_MAX.call, errorPattern: API_ERROR_PATTERN },
]
const createHistoryCases = (path: string): BodyLimitCase[] => [
  ...createBridgeCase('POST', path),
  createPostCase(path, {
    headers: (context) => createBridgeHeaders(context, 'POST', path),
    maxBytes: BODY_BYTES_MAX.bridge,
    errorPattern: API_ERROR_PATTERN,
  }),
  createPostCase(path, {
    headers: (context) => createBridgeHeaders(context, 'PUT', path),
    maxBytes: null,
    status: 401,
  }),
]

export const PROVIDER_BODY_LIMIT_CASES: BodyLimitCases = {
  ...PROVIDER_CALL_BODY_LIMIT_CASES,
  'ALL /.well-known/openid-configuration': createOidcCase(
    '/.well-known/openid-configuration',
    BODY_BYTES_MAX.oauth,
    OAUTH_ERROR_PATTERN,
  ),
  'ALL /oauth/authorize/:uid?': createOidcCase('/oauth/authorize', BODY_BYTES_MAX.oauth, ERROR_PAGE_PATTERN),
  'ALL /oauth/sign-in/:uid': createOidcCase('/oauth/sign-in/x', BODY_BYTES_MAX.form, ERROR_PAGE_PATTERN),
  'ALL /oauth/token': createOidcCase('/oauth/token', BODY_BYTES_MAX.oauth, OAUTH_ERROR_PATTERN),
  'ALL /oauth/userinfo': createOidcCase('/oauth/userinfo', BODY_BYTES_MAX.oauth, OAUTH_ERROR_PATTERN),
  'ALL /oauth/jwks': createOidcCase('/oauth/jwks', BODY_BYTES_MAX.oauth, OAUTH_ERROR_PATTERN),
  'ALL /oauth/revocation': createOidcCase('/oauth/revocation', BODY_BYTES_MAX.oauth, OAUTH_ERROR_PATTERN),
  'ALL /account/password': createOidcCase('/account/password', BODY_BYTES_MAX.form, ERROR_PAGE_PATTERN),
  'ALL /account/second-factor': createOidcCase('/account/second-factor', BODY_BYTES_MAX.form, ERROR_PAGE_PATTERN),
  'ALL /account/forgotten': createOidcCase('/account/forgotten', BODY_BYTES_MAX.form, ERROR_PAGE_PATTERN),
  'ALL /account/create': createOidcCase('/account/create', BODY_BYTES_MAX.form, ERROR_PAGE_PATTERN),
  'ALL /account/delete': createOidcCase('/account/delete', BODY_BYTES_MAX.form, ERROR_PAGE_PATTERN),
  'ALL /account/passkeys': createOidcCase('/account/passkeys', BODY_BYTES_MAX.form, ERROR_PAGE_PATTERN),
  'ALL /api/v2/user/login': createOidcCase(
    '/api/v2/user/login?source=web',
    BODY_BYTES_MAX.form,
    API_ERROR_PATTERN,
    JSON_HEADERS,
  ),
  'POST /bridge/v1/enrol': [
    createPostCase('/bridge/v1/enrol', {
      headers: createPlainHeaders(JSON_HEADERS),
      maxBytes: BODY_BYTES_MAX.call,
      errorPattern: API_ERROR_PATTERN,
    }),
  ],
  'ALL /bridge/v1/*': createBridgeCase('POST', '/bridge/v1/nothing'),
  'PUT /bridge/v1/cameras/:device_id': createBridgeCase('PUT', '/bridge/v1/cameras/door_a'),
  'DELETE /bridge/v1/cameras/:device_id': createBridgeCase('DELETE', '/bridge/v1/cameras/door_a'),
  'POST /bridge/v1/uploads': createBridgeCase('POST', '/bridge/v1/uploads'),
  'POST /bridge/v1/events': createBridgeCase('POST', '/bridge/v1/events'),
  'POST /bridge/v1/clip': createBridgeCase('POST', '/bridge/v1/clip'),
  'POST /bridge/v1/moments': createBridgeCase('POST', '/bridge/v1/moments'),
  'POST /bridge/v1/failures': createBridgeCase('POST', '/bridge/v1/failures'),
  'POST /bridge/v1/history': createHistoryCases('/bridge/v1/history'),
  'PUT /media/upload': [
    {
      method: 'PUT',
      path: '/media/upload',
      query: ({ uploadGrant }) => uploadGrant,
      headers: () => ({ 'content-type': 'image/jpeg' }),
      maxBytes: null,
      status: 400,
      errorPattern: /1000 bytes/,
    },
  ],
  'POST /t/errors': [
    createPostCase('/t/errors', {
      headers: createPlainHeaders(JSON_HEADERS),
      maxBytes: BODY_BYTES_MAX.report,
      errorPattern: API_ERROR_PATTERN,
    }),
  ],
  'POST /cs/storecookie': createOidcCase('/cs/storecookie', BODY_BYTES_MAX.form, API_ERROR_PATTERN),
  'POST /cs/facts': [
    createPostCase('/cs/facts?m=porchlight&s=x', {
      headers: createPlainHeaders(JSON_HEADERS),
      maxBytes: BODY_BYTES_MAX.form,
      errorPattern: API_ERROR_PATTERN,
    }),
  ],
  'POST /fin': createOidcCase('/fin', BODY_BYTES_MAX.form, API_ERROR_PATTERN),
  'POST /session/:session': [
    createPostCase('/session/x', { headers: createPlainHeaders({}), maxBytes: null, status: 400 }),
  ],
  'POST /t/events': [
    createPostCase('/t/events', {
      headers: createPlainHeaders(JSON_HEADERS),
      maxBytes: BODY_BYTES_MAX.measured,
      errorPattern: API_ERROR_PATTERN,
    }),
  ],
  'POST /t/revenue': [
    createPostCase('/t/revenue', {
      headers: createPlainHeaders(JSON_HEADERS),
      maxBytes: BODY_BYTES_MAX.revenue,
      errorPattern: API_ERROR_PATTERN,
    }),
  ],
  'POST /admin/v1/books/open': createOperatorCase('POST', '/admin/v1/books/open', 200),
  'POST /admin/v1/books/settle': createOperatorCase('POST', '/admin/v1/books/settle', 200),
  'POST /admin/v1/books/rebuild': createOperatorCase('POST', '/admin/v1/books/rebuild', 200),
  'POST /admin/v1/clock': createOperatorCase('POST', '/admin/v1/clock'),
  'POST /admin/v1/mails/done': createOperatorCase('POST', '/admin/v1/mails/done'),
  'POST /admin/v1/mails/take': createOperatorCase('POST', '/admin/v1/mails/take', 200),
  'POST /gateway/stripe': [
    createPostCase('/gateway/stripe', { headers: createPlainHeaders(JSON_HEADERS), maxBytes: null, status: 404 }),
  ],
  'POST /mail/stop': [
    createPostCase('/mail/stop', { headers: createPlainHeaders(FORM_HEADERS), maxBytes: null, status: 404 }),
  ],
  'POST /admin/v1/seed': createOperatorCase('POST', '/admin/v1/seed', 200),
  'PUT /admin/v1/bridges/:id': createOperatorCase('PUT', '/admin/v1/bridges/x'),
  'POST /admin/v1/retention/:id': createOperatorCase('POST', '/admin/v1/retention/x', 404),
  'POST /admin/v1/accounts': createOperatorCase('POST', '/admin/v1/accounts'),
  'PUT /admin/v1/accounts/:email': createOperatorCase('PUT', '/admin/v1/accounts/owner@example.com'),
  'POST /admin/v1/accounts/:email/invitation': createOperatorCase(
    'POST',
    '/admin/v1/accounts/owner@example.com/invitation',
    409,
  ),
  'DELETE /admin/v1/accounts/:email/second-factor': createOperatorCase(
    'DELETE',
    '/admin/v1/accounts/nobody@example.com/second-factor',
    404,
  ),
  'DELETE /admin/v1/accounts/:email': createOperatorCase('DELETE', '/admin/v1/accounts/nobody@example.com', 404),
}
