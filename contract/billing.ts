import { later } from './call.ts'

export const billingInfo = later('CALL-11', 'POST', '/services/{billing_provider}_info', 'web-backend')
