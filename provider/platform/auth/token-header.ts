import { BRANDED_HEADER, type TokenHeader } from '../../../contract/wire/endpoint-groups.ts'

/**
 * Returns the access token from the header that the endpoint group uses. Returns undefined if the header is missing, or
 * if a header that must start with `Bearer` is malformed.
 */
export function readTokenHeader(kind: TokenHeader, header: (name: string) => string | undefined): string | undefined {
  switch (kind) {
    case 'access_token':
      return header('access_token')
    case 'token':
      return header('token')
    case 'branded':
      return header(BRANDED_HEADER)
    case 'authorization-raw':
      return header('authorization')
    case 'authorization-bearer':
      return /^Bearer (\S+)$/i.exec(header('authorization') ?? '')?.[1]
  }
}
