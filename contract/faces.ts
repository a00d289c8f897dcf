import { later } from './call.ts'

export const collections = later('CALL-57', 'GET', '/collection', 'friendly-face')
export const people = later('CALL-58', 'GET', '/collection/{collection_id}/people', 'friendly-face')
