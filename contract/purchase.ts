import { later } from './call.ts'

export const previewPurchase = later('CALL-12', 'POST', '/purchase_v3/preview_purchase', 'web-backend')
export const createPurchase = later('CALL-13', 'POST', '/purchase_v3/create', 'web-backend')
export const updatePurchase = later('CALL-14', 'POST', '/purchase_v3/update_v3', 'web-backend')
