export { logoFile } from '../boot/page/brand.ts'
