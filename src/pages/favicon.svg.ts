import { logoFile } from '../layouts/icon.ts'

export const GET = () => new Response(logoFile(), { headers: { 'content-type': 'image/svg+xml' } })
