import { createLogoFile } from '../layouts/icon.ts'

export const GET = () => new Response(createLogoFile(), { headers: { 'content-type': 'image/svg+xml' } })
