/** /privacy: the switch loads separately, and the page is complete without it. */
import('./privacy-switch.ts').catch(console.debug)
