import manifest from '../../package.json' with { type: 'json' };

/** The version of this program, as its package says. */
export const CAIRN_VERSION: string = manifest.version;

/** The Phoenix release whose interfaces this version answers like; its public clients switch their methods on by it. */
export const PHOENIX_COMPATIBLE_VERSION = '20.26.0';
