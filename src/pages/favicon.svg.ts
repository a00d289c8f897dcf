import { logoFile } from '../layouts/icon.ts'

/** The icon of every page is the brand's logo. */
export const GET = () => new Response(logoFile(), { headers: { 'content-type': 'image/svg+xml' } })
