internal import Foundation
internal import GRDB

extension MessagesRoutes {
    /// The users, and the messages between them. Times are texts, which sort like the times.
    static let schema = DatabaseSchema(
        createTablesSQL: """
            CREATE TABLE IF NOT EXISTS person (
                id TEXT PRIMARY KEY, email TEXT NOT NULL, password TEXT NOT NULL, name TEXT NOT NULL);
            CREATE TABLE IF NOT EXISTS message (
                id TEXT PRIMARY KEY, sender TEXT NOT NULL REFERENCES person, recipient TEXT NOT NULL REFERENCES person,
                content TEXT NOT NULL, sent TEXT NOT NULL, read TEXT);
            """, firstTable: "person"
    ) { database in
        for person in people {
            try database.execute(
                sql: "INSERT INTO person VALUES (?, ?, ?, ?)",
                arguments: [person.id, person.email, DatabaseSchema.examplePassword, person.name])
        }
        for (index, message) in examples.enumerated() {
            try database.execute(
                sql: "INSERT INTO message VALUES (?, ?, ?, ?, ?, NULL)",
                arguments: [
                    "6844f815e5125c9652a049b\(index + 1)", people[message.from].id, people[message.to].id,
                    message.content, "2025-06-08T02:40:2\(index).045Z",
                ])
        }
    }

    /// The document's four users. It has neither the id nor the address of the fourth, which are assumed.
    private static let people = [
        (id: "6844f811e5125c9652a0498c", email: "ana.martinez@example.com", name: "Ana Martínez"),
        (id: "6844f811e5125c9652a0498f", email: "carlos.rodriguez@example.com", name: "Carlos Rodríguez"),
        (id: "6844f812e5125c9652a04992", email: "maria.gonzalez@example.com", name: "María González"),
        (id: "6844f812e5125c9652a04995", email: "luis.fernandez@example.com", name: "Luis Fernández"),
    ]

    /// The document's payloads, in the conversations that it lists.
    private static let examples: [(from: Int, to: Int, content: String)] = [
        (
            0, 1,
            "Hola! Vi que también tienes diabetes. ¿Cómo has estado manejando tus niveles de glucosa últimamente?"
        ),
        (2, 3, "¿Has notado algún alimento que te dispare mucho la glucosa?"),
        (2, 0, "Caminar después de las comidas me ha ayudado muchísimo. También hago pesas 3 veces por semana."),
        (
            1, 3,
            "Uso el FreeStyle Libre. Es bastante preciso y fácil de usar. También me ayuda la app para llevar registro "
                + "de comidas."
        ),
        (0, 1, "Uso el FreeStyle Libre. Es bastante preciso y fácil de usar."),
    ]
}
