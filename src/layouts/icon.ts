export { logoFile } from '../boot/brand.ts'
