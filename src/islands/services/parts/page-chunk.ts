/** What is drawn once the data is on its way, in a file of its own. */
export { ServicesPage } from './ServicesPage.tsx'
