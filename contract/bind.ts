import { later } from './call.ts'

export const activate = later('CALL-06', 'POST', '/api/v2/active', 'web-backend')
export const batchGetBindings = later('CALL-29', 'POST', '/membership/v2/batch_get_bindings', 'membership-v2', {
  nonce: true,
})
