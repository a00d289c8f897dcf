import { later } from './call.ts'

export const reactivate = later('CALL-07', 'POST', '/services/reactivate/{billing_provider}', 'web-backend')
export const cancelSubscription = later('CALL-09', 'POST', '/api/v2/cancel/{billing_provider}', 'web-backend')
