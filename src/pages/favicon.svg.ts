import { LOGO_FILE } from '../layouts/icon.ts'

/** The icon of every page is the brand's logo. */
export const GET = () => new Response(LOGO_FILE, { headers: { 'content-type': 'image/svg+xml' } })
