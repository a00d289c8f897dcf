export { OAUTH_ERRORS } from '../../domain/oauth-errors.ts'
