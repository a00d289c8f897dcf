export { OAUTH_ERRORS } from './oauth-errors.ts'
