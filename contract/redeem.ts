import { later } from './call.ts'

export const redeem = later('CALL-04', 'POST', '/redeem_v2', 'web-backend')
export const processRedeem = later('CALL-05', 'POST', '/redeem_v2/process_redeem', 'web-backend')
