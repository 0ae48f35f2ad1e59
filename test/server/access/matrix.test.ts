/** The access matrix on a server with SQLite, see `describe-matrix.ts`. */
import { describeMatrix } from './describe-matrix.ts';

describeMatrix('sqlite');
