export { LOGO_FILE } from '../boot/brand.ts'
